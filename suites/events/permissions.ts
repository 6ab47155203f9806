import { anonymous, type Caller } from '../../src/http/exchange/caller.ts'
import type { Exchange } from '../../src/http/exchange/exchange.ts'
import type { RequestSpec } from '../../src/http/exchange/request-spec.ts'
import type { MatrixCell } from '../../src/record/check-record.ts'
import { type MatrixKind, matrixKinds, type Permissions } from '../../src/spec/needs.ts'
import { permissionCategories, rowOf } from '../../src/spec/permissions/permissions.ts'
import { permissionsHeader } from '../../src/spec/words/words.ts'
import type { Check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import type { Query } from '../../src/suite/listing.ts'
import { itemsOf } from '../../src/suite/located.ts'
import { loginOf, type NeedMap, need, type Resolved, role, type TokenRequest, token } from '../../src/suite/needs.ts'
import { expectDenied, expectGranted, namesPermissions, type RefusedCaller } from '../common/access.ts'
import { inventedToken, requireTwoUsers, unlessUntested } from '../common/proof.ts'
import { type Holding, tokenRequest } from '../permissions/row-aspects.ts'
import { type Feed, open } from './feed.ts'
import { expectPrivate, expectSomeOfUser, isPastLatency } from './known-events.ts'

const metadata: Permissions = { repository: { metadata: 'read' } }
const secretNeeds = { secret: need('private-repository'), owner: role('owner') }
const asks = ['token'] as const

/** A private repository's feed requires the Metadata permission (document: Authentication, rule 7). */
export function metadataChecks<Needs extends NeedMap>(feed: Feed<Needs>): Check[] {
  const closed = feed.with({ needs: secretNeeds, requirement: 'events.access.metadata' })
  const requestOf = ({ owner, repo }: { owner: string; repo: string }, as: Caller) => ({
    endpoint: feed.endpoint,
    params: { owner, repo },
    as,
  })
  const expectClosedTo = async (t: CheckContext, { secret, owner }: Resolved<typeof secretNeeds>, token: Caller) =>
    expectDenied(t, { request: requestOf(secret, token), entitled: requestOf(secret, owner), resource: 'event' })
  const perKind = matrixKinds.flatMap((kind) => [
    closed.check(
      `metadata-${kind}`,
      `accepts ${kind} tokens with Metadata for a private repository`,
      { asks, matrix: metadataCell(kind, 'read') },
      async (t, { secret, owner }) => {
        const own = await t.read(requestOf(secret, owner))
        if (own.status !== 200) t.untested(`the request fails for the owner as well (${own.status})`)
        const holder = await tokenOf(t, kind, secret.owner, metadata)
        const response = await expectGranted(t, requestOf(secret, holder), { exactly: 200 })
        // Private events are visible to their user. An installation is no user.
        if (kind === 'app-installation') t.expect(response).array()
        else expectSomeOfUser(t, response, own, isPastLatency)
        if (response.count > 0) expectPrivate(t, itemsOf(response))
      },
    ),
    closed.check(
      `metadata-other-${kind}`,
      `rejects ${kind} tokens with every permission except Metadata`,
      { asks, matrix: metadataCell(kind, 'none') },
      async (t, resolved) => expectClosedTo(t, resolved, await t.tokenFor(everythingElse(kind, resolved.secret.owner))),
    ),
    closed.check(
      `metadata-missing-${kind}`,
      `rejects ${kind} tokens without Metadata for a private repository`,
      { matrix: metadataCell(kind, 'none'), conclusive: true },
      async (t, resolved) => expectClosedTo(t, resolved, await tokenOf(t, kind, resolved.secret.owner, {})),
    ),
  ])
  return [
    ...perKind,
    closed.check(
      'permissions-header',
      'sends X-Accepted-Service-Permissions to app and fine-grained tokens',
      { requirement: 'permissions.header', asks },
      async (t, { secret }) => {
        const responses = (await servedAndRefused(t, (as) => requestOf(secret, as), secret.owner)).flat()
        if (responses.some(namesPermissions)) return t.examined(1)
        const actual = 'no such header on a successful or a rejected response'
        t.deviation({ expected: `a non-empty ${permissionsHeader}`, actual, exchanges: responses })
      },
    ),
    closed.check(
      'permissions-header-both',
      'sends X-Accepted-Service-Permissions when it accepts and when it rejects',
      { requirement: 'permissions.header-both', level: 'should', asks },
      async (t, { secret }) => {
        const pairs = await servedAndRefused(t, (as) => requestOf(secret, as), secret.owner)
        // Judged only where the header is sent at all (readings F8).
        if (!pairs.flat().some(namesPermissions)) t.untested('neither the successful nor the rejected responses have the header')
        if (pairs.some((pair) => pair.every(namesPermissions))) return t.examined(2)
        const expected = `a non-empty ${permissionsHeader} when served and when rejected`
        t.deviation({ expected, actual: 'such a header on only one of the two', exchanges: pairs.flat() })
      },
    ),
  ]
}

function metadataCell(kind: MatrixKind, access: 'read' | 'none'): MatrixCell {
  return { owner: 'repository', category: 'Metadata', kind, access, expects: access === 'read' ? 'granted' : 'refused' }
}

/** The two responses to each kind of token that is served with Metadata and refused without. */
async function servedAndRefused(t: CheckContext, to: (as: Caller) => RequestSpec, account: string): Promise<Exchange[][]> {
  const pairs: Exchange[][] = []
  for (const kind of matrixKinds) {
    const holder = await unlessUntested(tokenOf(t, kind, account, metadata))
    const bare = await unlessUntested(tokenOf(t, kind, account, {}))
    if (!holder || !bare) continue
    const [served, refused] = [await t.read(to(holder)), await t.read(to(bare))]
    if (served.ok && refused.refused) pairs.push([served, refused])
  }
  return pairs.length > 0 ? pairs : t.untested('no kind of token was both served and refused', 'token')
}

/** A token of the owner, or an installation on the repository's owner, with exactly these permissions. */
function tokenOf(t: CheckContext, kind: MatrixKind, account: string, permissions: Permissions): Promise<Caller> {
  return t.tokenFor({ ...holderOf(kind, account), permissions, only: Object.keys(permissions).length === 0 })
}

/** A token that has every listed category, and thus possibly everything but Metadata (readings F20). */
function everythingElse(kind: MatrixKind, account: string): TokenRequest {
  const listed = permissionCategories.filter(({ fineGrained }) => kind !== 'fine-grained' || fineGrained === 'listed')
  const of = (owner: 'organization' | 'repository') =>
    Object.fromEntries(listed.filter((category) => category.owner === owner).map(({ slug }) => [slug, 'write' as const]))
  const ask = { organization: of('organization'), repository: of('repository') }
  return { ...holderOf(kind, account), permissions: {}, lacks: metadata, broadest: true, ask }
}

function holderOf(kind: MatrixKind, account: string): Pick<TokenRequest, 'kind' | 'of' | 'account'> {
  if (kind === 'app-user') return { kind, of: 'owner' }
  return kind === 'fine-grained' ? { kind, of: 'owner', account } : { kind, account }
}

const dashboardRow = rowOf('GET', '/users/{username}/events/orgs/{org}')
const eventsRead: Permissions = { organization: { events: 'read' } }

/** A caller other than the user in the path; anonymous where neither a token nor a known caller is stated. */
type Visitor = Pick<RefusedCaller, 'aspect' | 'title' | 'token' | 'known'>

const visitors: readonly Visitor[] = [
  { aspect: 'anonymous', title: 'rejects a request without a token' },
  { aspect: 'invented-token', title: 'rejects a token that was never issued', known: inventedToken },
  { aspect: 'other-user', title: 'rejects an unrelated user', token: role('outsider') },
  { aspect: 'other-member', title: 'rejects another member of the organization', token: role('member') },
  {
    aspect: 'other-owner',
    title: 'rejects an owner of the organization who is not the user in the path',
    token: role('org-owner'),
  },
  ...(['app-user', 'fine-grained'] as const).map((kind) => ({
    aspect: `other-member-${kind === 'app-user' ? 'app' : kind}`,
    title: `rejects another member's ${kind} token with the Events permission`,
    token: token({ kind, of: 'member', permissions: eventsRead }),
  })),
]

/** The tokens of the user, and of an app on the organization, by their permissions there. */
const ownTokens = [
  ...(['app-user', 'fine-grained'] as const).flatMap((kind) => {
    const whose = `the user's ${kind} token`
    return [
      { aspect: kind, kind, holding: 'granted', title: `accepts ${whose} with the Events permission` },
      { aspect: `${kind}-bare`, kind, holding: 'nothing', title: `rejects ${whose} without the Events permission` },
      { aspect: `${kind}-other`, kind, holding: 'others', title: `rejects ${whose} with every other permission` },
    ] as const
  }),
  {
    aspect: 'app-installation',
    kind: 'app-installation',
    holding: 'listed',
    title: 'rejects an app installation token, which belongs to no user',
  },
] as const

/** The dashboard requires two things: to be that user, and for apps the organization permission Events (readings F18). */
export function dashboardAccessChecks<Needs extends NeedMap>(feed: Feed<Needs>): Check[] {
  const dashboard = feed.with({ requirement: 'events.access.dashboard' })
  const expectClosedTo = async (t: CheckContext, needs: Resolved<Needs>, caller: Caller, page: Query = {}) => {
    const [request, entitled] = [open(t, feed, needs, caller).request(page), open(t, feed, needs).request(page)]
    await expectDenied(t, { request, entitled, resource: 'event' })
  }
  const ofVisitor = ({ aspect, title, token: wanted, known = anonymous }: Visitor) => {
    const also = { ...(wanted ? { caller: wanted } : {}), owner: role('owner'), username: loginOf('owner') }
    return dashboard.check(aspect, title, { also, conclusive: true }, async (t, needs, { caller = known, owner, username }) => {
      requireTwoUsers(t, caller, { ...owner, login: username })
      // Fellow members ask for a later page.
      await expectClosedTo(t, needs, caller, aspect.startsWith('other-member') ? { per_page: 1, page: 2 } : {})
    })
  }
  const ofOwnToken = ({ aspect, title, kind, holding }: (typeof ownTokens)[number]) => {
    const denied = holding !== 'granted'
    const own = { asks: ['token'], matrix: cellOf(kind, holding), ...(denied ? ({ conclusive: true } as const) : {}) } as const
    return dashboard.check(aspect, title, own, async (t, needs) => {
      const holder = await t.tokenFor(requestFor(kind, String(feed.at(needs).params?.org), holding))
      if (denied) return expectClosedTo(t, needs, holder)
      const page = await open(t, feed, needs).page()
      expectSomeOfUser(t, await expectGranted(t, open(t, feed, needs, holder).request(), { exactly: 200 }), page)
    })
  }
  return [...visitors.map(ofVisitor), ...ownTokens.map(ofOwnToken)]
}

/** A token on the organization's account. "Every other permission" includes those of other feeds (readings F17, F20). */
function requestFor(kind: MatrixKind, org: string, holding: Holding): TokenRequest {
  const request = tokenRequest(dashboardRow, kind, 'owner', org, holding)
  if (holding !== 'others') return request
  const { user, repository } = request.ask ?? {}
  const ofFeeds = { user: { ...user, events: 'read' }, repository: { ...repository, ...metadata.repository } } as const
  return { ...request, ask: { ...request.ask, ...ofFeeds } }
}

function cellOf(kind: MatrixKind, holding: Holding): MatrixCell {
  const access = holding === 'granted' || holding === 'listed' ? 'read' : 'none'
  return { owner: 'organization', category: 'Events', kind, access, expects: holding === 'granted' ? 'granted' : 'refused' }
}
