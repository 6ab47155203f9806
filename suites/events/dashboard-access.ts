import { anonymous, type Caller } from '../../src/http/exchange/caller.ts'
import type { MatrixCell } from '../../src/record/check-record.ts'
import type { Permissions } from '../../src/spec/needs.ts'
import { rowOf } from '../../src/spec/permissions.ts'
import type { Check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { loginOf, type Needing, type NeedMap, type Resolved, role, type TokenRequest, token } from '../../src/suite/needs.ts'
import { expectDenied, expectGranted } from '../common/access.ts'
import { inventedToken, requireTwoUsers } from '../common/proof.ts'
import { type Holding, type MatrixKind, tokenRequest } from '../permissions/row-tokens.ts'
import { type Feed, open } from './feed.ts'
import { expectSomeOfUser } from './known-events.ts'

const dashboardRow = rowOf('GET', '/users/{username}/events/orgs/{org}')
const events: Permissions = { organization: { events: 'read' } }

/** A caller other than the user in the path; anonymous where neither a token nor a known caller is stated. */
interface Visitor {
  readonly aspect: string
  readonly title: string
  readonly token?: Needing<Caller>
  readonly known?: Caller
}

const visitors: readonly Visitor[] = [
  { aspect: 'anonymous', title: 'rejects a request without a token' },
  { aspect: 'invented-token', title: 'rejects a token that was never issued', known: inventedToken },
  { aspect: 'other-user', title: 'rejects an unrelated user', token: role('outsider') },
  { aspect: 'other-member', title: 'rejects another member of the organisation', token: role('member') },
  {
    aspect: 'other-owner',
    title: 'rejects an owner of the organisation who is not the user in the path',
    token: role('org-owner'),
  },
  {
    aspect: 'other-member-app',
    title: "rejects another member's app user token with the Events permission",
    token: token({ kind: 'app-user', of: 'member', permissions: events }),
  },
  {
    aspect: 'other-member-fine-grained',
    title: "rejects another member's fine-grained token with the Events permission",
    token: token({ kind: 'fine-grained', of: 'member', permissions: events }),
  },
]

/** A token of the user, or of an app on the organisation, by its permissions there. */
interface OwnToken {
  readonly aspect: string
  readonly title: string
  readonly kind: MatrixKind
  readonly holding: Holding
}

const ownTokens: readonly OwnToken[] = [
  ...(['app-user', 'fine-grained'] as const).flatMap((kind): OwnToken[] => {
    const whose = `the user's ${kind} token`
    return [
      { aspect: kind, kind, holding: 'granted', title: `accepts ${whose} with the Events permission` },
      { aspect: `${kind}-bare`, kind, holding: 'nothing', title: `rejects ${whose} without the Events permission` },
      { aspect: `${kind}-other`, kind, holding: 'others', title: `rejects ${whose} with every other permission` },
    ]
  }),
  {
    aspect: 'app-installation',
    kind: 'app-installation',
    holding: 'listed',
    title: 'rejects an app installation token, which belongs to no user',
  },
]

/** The dashboard requires two things: to be that user, and for apps the organisation permission Events (readings F18). */
export function dashboardAccessChecks<Needs extends NeedMap>(feed: Feed<Needs>): Check[] {
  const dashboard = feed.with({ requirement: 'events.access.dashboard' })
  const expectClosedTo = async (t: CheckContext, needs: Resolved<Needs>, caller: Caller) => {
    const [request, entitled] = [open(t, feed, needs, caller).request(), open(t, feed, needs).request()]
    await expectDenied(t, { request, entitled, resource: 'event' })
  }
  const ofVisitor = ({ aspect, title, token: wanted, known = anonymous }: Visitor) => {
    const also = { ...(wanted ? { caller: wanted } : {}), owner: role('owner'), username: loginOf('owner') }
    return dashboard.check(aspect, title, { also, conclusive: true }, async (t, needs, { caller = known, owner, username }) => {
      requireTwoUsers(t, caller, { ...owner, login: username })
      await expectClosedTo(t, needs, caller)
    })
  }
  const ofOwnToken = ({ aspect, title, kind, holding }: OwnToken) => {
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

/** A token on the organisation's account. "Every other permission" includes the user permission Events (readings F17, F20). */
function requestFor(kind: MatrixKind, org: string, holding: Holding): TokenRequest {
  const request = tokenRequest(dashboardRow, kind, 'owner', org, holding)
  if (holding !== 'others') return request
  return { ...request, ask: { ...request.ask, user: { ...request.ask?.user, events: 'read' } } }
}

function cellOf(kind: MatrixKind, holding: Holding): MatrixCell {
  const access = holding === 'granted' || holding === 'listed' ? 'read' : 'none'
  return { owner: 'organization', category: 'Events', kind, access, expects: holding === 'granted' ? 'granted' : 'refused' }
}
