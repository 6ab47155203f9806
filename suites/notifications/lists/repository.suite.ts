import { endpoints } from '../../../src/spec/endpoints.ts'
import { operation } from '../../../src/suite/check.ts'
import { Listing } from '../../../src/suite/listing.ts'
import { need, optional, type Resolved, role } from '../../../src/suite/needs.ts'
import { Untested } from '../../../src/suite/untested.ts'
import { requireGiven } from '../../common/served.ts'
import { accessChecks } from '../common/access.ts'
import { everything, objectsAmong, repositoryInboxAround, repositoryInboxOf, repositoryName } from '../common/threads.ts'
import { listChecks } from './every-list.ts'
import { nameCaseChecks } from './name-case.ts'

const endpoint = endpoints.listRepositoryNotifications
/** Any repository suffices for most claims; a large list decides more. */
const large = optional(need('large-inbox'))
const known = optional(need('public-repository'))
const needs = { owner: role('owner'), large, known }
const repository = operation({ id: 'notifications.repository', endpoint, needs, level: 'must' })
const at = ({ owner, ...places }: Resolved<typeof needs>) => repositoryInboxOf(owner, anyOf(places))
const list = { ...repository, endpoint, at, around: repositoryInboxAround }

/** The user's notifications of one repository. */
export default repository.suite([
  ...listChecks(list),
  ...nameCaseChecks(list),
  repository.check(
    'this-repository-only',
    'lists only threads of the repository in the path',
    'notifications.repository.scope',
    async (t, { owner, ...places }) => {
      const { owner: of, repo } = anyOf(places)
      const { items } = await new Listing(t, repositoryInboxOf(owner, { owner: of, repo })).walk({ query: everything })
      const name = `${of}/${repo}`.toLowerCase()
      const threads = t.expectAll(objectsAmong(items), 'thread')
      threads.satisfy(`threads of ${name}`, (thread) => repositoryName(thread)?.toLowerCase() === name)
    },
  ),
  repository
    .with({ needs: { owner: role('owner'), empty: need('empty-repository') } })
    .check(
      'empty',
      'returns 200 with an array when there are no notifications',
      'notifications.lists.status',
      async (t, { owner, empty }) => {
        const request = new Listing(t, repositoryInboxOf(owner, empty)).request()
        const answer = await t.read(request)
        if (answer.refused) await requireGiven(t, request, 'empty-repository')
        t.expect(answer).status(200).array()
      },
    ),
  ...accessChecks({
    id: 'notifications.repository',
    endpoint,
    of: 'owner',
    resource: 'thread',
    needs: { large, known },
    address: async (_, places) => {
      const { owner, repo } = anyOf(places)
      return { params: { owner, repo } }
    },
  }),
])

type Repository = { readonly owner: string; readonly repo: string }

/** A repository whose notifications are listed. Ends the check as untested without one. */
function anyOf({ large, known }: { readonly large: Repository | undefined; readonly known: Repository | undefined }): Repository {
  const place = large ?? known
  if (place) return place
  const how = 'give the need large-inbox, or a public-repository, in the configuration or by the provider'
  throw new Untested('no repository is known whose notifications could be listed', [{ need: 'large-inbox', how }])
}
