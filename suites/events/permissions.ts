import type { Caller } from '../../src/http/exchange/caller.ts'
import type { Exchange } from '../../src/http/exchange/exchange.ts'
import type { RequestSpec } from '../../src/http/exchange/request-spec.ts'
import type { MatrixCell } from '../../src/record/check-record.ts'
import { type MatrixKind, matrixKinds, type Permissions } from '../../src/spec/needs.ts'
import { rowOf } from '../../src/spec/permissions/permissions.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import type { Query } from '../../src/suite/listing.ts'
import { itemsOf } from '../../src/suite/located.ts'
import {
  loginOf,
  type NeedMap,
  need,
  type Resolved,
  role,
  type TokenRequest,
  token,
} from '../../src/suite/needs.ts'
import {
  expectGranted,
  expectPermissionsNamed,
  expectRefused,
  requireServed,
} from '../common/access.ts'
import { type CallerRow, callerChecks, callerKinds } from '../common/callers.ts'
import { expectSizes } from '../common/page-sizes.ts'
import { requireTwoUsers, unlessUntested } from '../common/proof.ts'
import { type Holding, tokenRequest } from '../permissions/row-aspects.ts'
import { type Feed, open, openAt } from './feed.ts'
import { expectPrivate, expectSomeOfUser, isPastLatency } from './known-events.ts'
import { expectNoneMarked } from './visibility.ts'

const metadata: Permissions = { repository: { metadata: 'read' } }
const statusRow = rowOf('GET', '/repos/{owner}/{repo}/commits/{ref}/status')
/** The feed of a repository like a row of the matrix, which lists no endpoint for Metadata (readings F13). */
const metadataRow = { ...statusRow, category: { ...statusRow.category, slug: 'metadata' } }
const secretNeeds = { secret: need('private-repository'), owner: role('owner') }
const asks = ['token'] as const
const userKinds = ['app-user', 'fine-grained'] as const

/** A private repository's feed requires the Metadata permission (document: Authentication, rule 7). */
export function metadataChecks<Needs extends NeedMap>(feed: Feed<Needs>) {
  const closed = feed.with({ needs: secretNeeds, requirement: 'events.access.metadata' })
  const requestOf = ({ owner, repo }: { owner: string; repo: string }, as: Caller) => ({
    endpoint: feed.endpoint,
    params: { owner, repo },
    as,
  })
  return [
    ...callerChecks(closed, {}, metadataRows, async (t, { secret, owner }, _, { row }) => {
      const entitled = requestOf(secret, owner)
      const own = row.expects === 'granted' && (await requireServed(t, entitled, { shared: true }))
      const request = requestOf(
        secret,
        await t.tokenFor(holderOf(row.kind, secret.owner, row.holding)),
      )
      if (!own) return expectRefused(t, { request, entitled, resource: 'event' })
      const response = await expectGranted(t, request, { exactly: 200 })
      // Private events are visible to their user. An installation is no user.
      if (request.as.kind === 'app-installation') t.expect(response).array()
      else expectSomeOfUser(t, response, own, isPastLatency)
      if (response.count > 0) expectPrivate(t, itemsOf(response))
      const usual = openAt(t, feed, entitled)
      await unlessUntested(expectSizes(t, openAt(t, feed, request), { usual }))
    }),
    closed.check(
      'permissions-header',
      'sends X-Accepted-Service-Permissions to app and fine-grained tokens',
      { requirement: 'permissions.header', asks },
      async (t, { secret }) =>
        expectPermissionsNamed(
          t,
          await servedAndRefused(t, (as) => requestOf(secret, as), secret.owner),
        ),
    ),
  ]
}

/** A token of the user, or of an app, by its permissions on an account. */
interface TokenRow extends CallerRow {
  readonly kind: MatrixKind
  readonly holding: Holding
}

function tokenRow(
  permission: Pick<MatrixCell, 'owner' | 'category'>,
  kind: MatrixKind,
  holding: Holding,
  aspect: string,
  whom: string,
): TokenRow {
  const expects = holding === 'granted' ? 'granted' : 'refused'
  const access = holding === 'granted' || holding === 'listed' ? 'read' : 'none'
  const matrix = { ...permission, kind, access, expects } as const
  return { kind, holding, aspect, whom, expects, own: { asks, matrix } }
}

const metadataHoldings = [
  ['granted', 'metadata', 'with Metadata for a private repository'],
  ['others', 'metadata-other', 'with every permission except Metadata'],
  ['nothing', 'metadata-missing', 'without Metadata for a private repository'],
] as const

const metadataRows = matrixKinds.flatMap((kind) =>
  metadataHoldings.map(([holding, aspect, holds]) =>
    tokenRow(
      { owner: 'repository', category: 'Metadata' },
      kind,
      holding,
      `${aspect}-${kind}`,
      `${kind} tokens ${holds}`,
    ),
  ),
)

/** The responses to each kind of token that is served with Metadata and refused without. */
async function servedAndRefused(t: CheckContext, to: (as: Caller) => RequestSpec, account: string) {
  const pairs: Exchange[] = []
  for (const kind of matrixKinds) {
    const holder = await unlessUntested(t.tokenFor(holderOf(kind, account, 'granted')))
    const bare = await unlessUntested(t.tokenFor(holderOf(kind, account, 'nothing')))
    if (!holder || !bare) continue
    const [served, refused] = [await t.read(to(holder)), await t.read(to(bare))]
    if (served.ok && refused.refused) pairs.push(served, refused)
  }
  return pairs.length > 0
    ? pairs
    : t.untested('no kind of token was both served and refused', 'token')
}

/** A token of the owner, or an installation on the repository's owner (readings F17, F20). */
function holderOf(kind: MatrixKind, account: string, holding: Holding) {
  return tokenRequest(
    metadataRow,
    kind,
    'owner',
    kind === 'app-user' ? undefined : account,
    holding,
  )
}

const dashboardRow = rowOf('GET', '/users/{username}/events/orgs/{org}')
const eventsRead: Permissions = { organization: { events: 'read' } }

const { anonymous, invented, outsider, member, organizationOwner } = callerKinds

/** The callers other than the user in the path. */
const visitors: readonly CallerRow[] = [
  { ...anonymous, aspect: 'anonymous' },
  { ...invented, aspect: 'invented-token' },
  { ...outsider, aspect: 'other-user' },
  { ...member, aspect: 'other-member' },
  {
    ...organizationOwner,
    aspect: 'other-owner',
    whom: `${organizationOwner.whom} who is not the user in the path`,
  },
  ...userKinds.map((kind) => ({
    aspect: `other-member-${kind === 'app-user' ? 'app' : kind}`,
    whom: `another member's ${kind} token with the Events permission`,
    token: token({ kind, of: 'member', permissions: eventsRead }),
  })),
]

const holdings = [
  ['granted', '', 'with the Events permission'],
  ['nothing', '-bare', 'without the Events permission'],
  ['others', '-other', 'with every other permission'],
] as const

const onDashboard = { owner: 'organization', category: 'Events' } as const

const ownTokens: readonly TokenRow[] = [
  ...userKinds.flatMap((kind) =>
    holdings.map(([holding, ending, holds]) =>
      tokenRow(onDashboard, kind, holding, kind + ending, `the user's ${kind} token ${holds}`),
    ),
  ),
  tokenRow(
    onDashboard,
    'app-installation',
    'listed',
    'app-installation',
    'an app installation token, which belongs to no user',
  ),
]

/** The dashboard requires two things: to be that user, and for apps the organization permission Events (readings F18). */
export function dashboardAccessChecks<Needs extends NeedMap>(feed: Feed<Needs>) {
  const dashboard = feed.with({ requirement: 'events.access.dashboard' })
  const expectClosedTo = async (
    t: CheckContext,
    needs: Resolved<Needs>,
    caller: Caller,
    page: Query = {},
  ) => {
    const [request, entitled] = [
      open(t, feed, needs, caller).request(page),
      open(t, feed, needs).request(page),
    ]
    await expectRefused(t, { request, entitled, resource: 'event' })
  }
  return [
    ...callerChecks(
      dashboard,
      { owner: role('owner'), username: loginOf('owner') },
      visitors,
      async (t, needs, { owner, username }, { caller, row }) => {
        requireTwoUsers(t, caller, { ...owner, login: username })
        // Fellow members ask for a later page.
        await expectClosedTo(
          t,
          needs,
          caller,
          row.aspect.startsWith('other-member') ? { per_page: 1, page: 2 } : {},
        )
        if (caller.role !== 'outsider') return
        // Outsiders may ask for their own dashboard of the organization.
        const { params } = feed.at(needs)
        const own = { params: { ...params, username: String(caller.login) }, as: caller }
        const page = openAt(t, feed, own).request({ per_page: feed.endpoint.paging.max })
        expectNoneMarked(t, itemsOf(await t.read(page)))
      },
    ),
    ...callerChecks(dashboard, {}, ownTokens, async (t, needs, _, { row: { kind, holding } }) => {
      const holder = await t.tokenFor(requestFor(kind, String(feed.at(needs).params?.org), holding))
      if (holding !== 'granted') return expectClosedTo(t, needs, holder)
      const usual = open(t, feed, needs)
      const page = await usual.page()
      const list = open(t, feed, needs, holder)
      const response = await expectGranted(t, list.request(), { exactly: 200 })
      expectSomeOfUser(t, response, page)
      await unlessUntested(expectSizes(t, list, { usual }))
    }),
  ]
}

/** A token on the organization's account. "Every other permission" includes those of other feeds (readings F17, F20). */
function requestFor(kind: MatrixKind, org: string, holding: Holding): TokenRequest {
  const request = tokenRequest(dashboardRow, kind, 'owner', org, holding)
  if (holding !== 'others') return request
  const { user, repository } = request.ask ?? {}
  const ofFeeds = {
    user: { ...user, events: 'read' },
    repository: { ...repository, ...metadata.repository },
  } as const
  return { ...request, ask: { ...request.ask, ...ofFeeds } }
}
