import { endpoints } from '../../src/spec/endpoints.ts'
import { check, suite } from '../../src/suite/check.ts'
import { Listing } from '../../src/suite/listing.ts'
import { need, role } from '../../src/suite/needs.ts'
import { accessChecks } from './access.ts'
import { listChecks } from './every-list.ts'
import { everything, objectsAmong, repositoryInboxOf, repositoryName, repositoryParameters } from './threads.ts'

const id = 'notifications.repository'
const endpoint = endpoints.listRepositoryNotifications
const needs = { owner: role('owner'), large: need('large-inbox') }

/** The user's notifications of one repository. */
export default suite({
  area: 'notifications',
  endpoint,
  checks: [
    ...listChecks({
      id,
      endpoint,
      needs,
      at: ({ owner, large }) => repositoryInboxOf(owner, large),
      around: (thread, owner) => repositoryInboxOf(owner, repositoryParameters(repositoryName(thread) ?? '')),
    }),
    check({
      id: `${id}.this-repository-only`,
      requirement: 'notifications.repository.scope',
      level: 'must',
      title: 'lists only threads of the repository in the path',
      needs,
      run: async (t, { owner, large }) => {
        const { items } = await new Listing(t, repositoryInboxOf(owner, large)).walk({ query: everything })
        const name = `${large.owner}/${large.repo}`.toLowerCase()
        const threads = t.expectAll(objectsAmong(items), 'thread')
        threads.satisfy(`threads of ${name}`, (thread) => repositoryName(thread)?.toLowerCase() === name)
      },
    }),
    ...accessChecks({
      id,
      endpoint,
      of: 'owner',
      resource: 'thread',
      needs: { large: need('large-inbox') },
      address: async (_, { large }) => ({ params: { owner: large.owner, repo: large.repo } }),
    }),
  ],
})
