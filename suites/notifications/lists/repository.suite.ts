import { endpoints } from '../../../src/spec/endpoints.ts'
import { operation } from '../../../src/suite/check.ts'
import { Listing } from '../../../src/suite/listing.ts'
import { need, optional, type Resolved, role } from '../../../src/suite/needs.ts'
import { Untested } from '../../../src/suite/untested.ts'
import { expectCaseIgnored, expectNoneForUnknown } from '../../common/names.ts'
import { requireGiven } from '../../common/served.ts'
import { accessChecks } from '../common/access.ts'
import {
  everything,
  expectOfRepository,
  objectsAmong,
  repositoryInboxAround,
  repositoryInboxOf,
} from '../common/threads.ts'
import { aimAtRepository, allOf } from '../marking/inbox-fixture.ts'
import { listChecks } from './every-list.ts'

const endpoint = endpoints.listRepositoryNotifications
/** Any repository suffices for most claims; a large list decides more. */
const large = optional(need('large-inbox'))
const known = optional(need('public-repository'))
const needs = { owner: role('owner'), large, known }
const repository = operation({ id: 'notifications.repository', endpoint, needs, level: 'must' })
const at = ({ owner, ...places }: Resolved<typeof needs>) => repositoryInboxOf(owner, anyOf(places))
const whole = (places: Resolved<typeof needs>) => ({ ...at(places), query: everything })
const kinds = ['private'] as const
const list = { ...repository, endpoint, at, around: repositoryInboxAround, kinds }
const parameters = ['owner', 'repo'] as const

/** The user's notifications of one repository. */
export default repository.suite([
  ...listChecks(list),
  // Stated for one feed, expected here too (readings C15).
  repository.check(
    'case-of-repo',
    'ignores the letter case of {repo}',
    { requirement: 'notifications.repository.case-insensitive', level: 'should' },
    async (t, places) => void (await expectCaseIgnored(t, whole(places), 'repo')),
  ),
  repository.check(
    'this-repository-only',
    'lists only threads of the repository in the path',
    { requirement: 'notifications.repository.scope', also: { user: optional(role('inbox-user')) } },
    async (t, places, { user }) => {
      const own = whole(places)
      // The inbox of this user may have threads of another repository of the same name.
      const { params } = aimAtRepository(user ? await allOf(t, user) : [])
      let open: string | undefined
      for (const address of [own, ...(user && params.repo ? [{ ...own, params, as: user }] : [])]) {
        const { items } = await new Listing(t, address).walk()
        open ??= expectOfRepository(
          t,
          `${address.params?.owner}/${address.params?.repo}`,
          objectsAmong(items),
        )
      }
      for (const parameter of parameters) await expectNoneForUnknown(t, own, parameter)
      if (open) t.untested(open, 'large-inbox')
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
        const response = await t.read(request)
        if (response.refused) await requireGiven(t, request, 'empty-repository')
        t.expect(response).status(200).array()
      },
    ),
  ...accessChecks({
    id: 'notifications.repository',
    endpoint,
    resource: 'thread',
    needs: { large, known },
    address: async (_, places, owner) => at({ owner, ...places }),
  }),
])

/** A repository whose notifications are listed. Ends the check as untested without one. */
function anyOf({ large, known }: Pick<Resolved<typeof needs>, 'large' | 'known'>) {
  const place = large ?? known
  if (place) return place
  throw new Untested('no repository is known whose notifications could be listed', [
    {
      need: 'large-inbox',
      how: 'give the need large-inbox, or a public-repository, in the configuration or by the provider',
    },
  ])
}
