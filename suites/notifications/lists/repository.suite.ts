import { endpoints } from '../../../src/spec/endpoints.ts'
import { check, suite } from '../../../src/suite/check.ts'
import { Listing } from '../../../src/suite/listing.ts'
import { need, optional, role } from '../../../src/suite/needs.ts'
import { Untested } from '../../../src/suite/untested.ts'
import { accessChecks } from '../common/access.ts'
import { everything, objectsAmong, repositoryInboxAround, repositoryInboxOf, repositoryName } from '../common/threads.ts'
import { listChecks } from './every-list.ts'
import { nameCaseChecks } from './name-case.ts'

const id = 'notifications.repository'
const endpoint = endpoints.listRepositoryNotifications
/** Any repository will do for most claims; a large list decides more. */
const needs = {
  owner: role('owner'),
  large: optional(need('large-inbox')),
  known: optional(need('public-repository')),
}

/** The user's notifications of one repository. */
export default suite({
  area: 'notifications',
  endpoint,
  checks: [
    ...listChecks({
      id,
      endpoint,
      needs,
      at: ({ owner, ...given }) => repositoryInboxOf(owner, anyOf(given)),
      around: repositoryInboxAround,
    }),
    ...nameCaseChecks({ id, needs, at: ({ owner, ...given }) => repositoryInboxOf(owner, anyOf(given)) }),
    check({
      id: `${id}.this-repository-only`,
      requirement: 'notifications.repository.scope',
      level: 'must',
      title: 'lists only threads of the repository in the path',
      needs,
      run: async (t, { owner, ...given }) => {
        const of = anyOf(given)
        const { items } = await new Listing(t, repositoryInboxOf(owner, of)).walk({ query: everything })
        const name = `${of.owner}/${of.repo}`.toLowerCase()
        const threads = t.expectAll(objectsAmong(items), 'thread')
        threads.satisfy(`threads of ${name}`, (thread) => repositoryName(thread)?.toLowerCase() === name)
      },
    }),
    check({
      id: `${id}.empty`,
      requirement: 'notifications.lists.status',
      level: 'must',
      title: 'returns 200 with an array when there are no notifications',
      needs: { owner: role('owner'), empty: need('empty-repository') },
      run: async (t, { owner, empty }) => {
        const answer = await t.read(new Listing(t, repositoryInboxOf(owner, empty)).request())
        t.expect(answer).status(200).array()
      },
    }),
    ...accessChecks({
      id,
      endpoint,
      of: 'owner',
      resource: 'thread',
      needs: { large: needs.large, known: needs.known },
      address: async (_, given) => {
        const { owner, repo } = anyOf(given)
        return { params: { owner, repo } }
      },
    }),
  ],
})

type Repository = { readonly owner: string; readonly repo: string }

/** A repository whose notifications are listed. Ends the check as untested where none is given. */
function anyOf({ large, known }: { readonly large: Repository | undefined; readonly known: Repository | undefined }): Repository {
  const given = large ?? known
  if (given) return given
  const how = 'give the need large-inbox, or a public-repository, in the configuration or by the provider'
  throw new Untested('no repository is known whose notifications could be listed', [{ need: 'large-inbox', how }])
}
