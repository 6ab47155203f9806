import { anonymous, type Caller } from '../../src/http/exchange/caller.ts'
import type { MatrixCell } from '../../src/record/check-record.ts'
import type { Permissions } from '../../src/spec/needs.ts'
import { rowOf } from '../../src/spec/permissions.ts'
import { type Check, check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { loginOf, type Needing, type NeedMap, type Resolved, role, type TokenRequest, token } from '../../src/suite/needs.ts'
import { expectRefused, expectServed, inventedToken, requireTwoUsers } from '../common/access.ts'
import { type Holding, type MatrixKind, tokenRequest } from '../permissions/row-tokens.ts'
import { type Feed, open } from './feed.ts'
import { showsAlike } from './visibility.ts'

const dashboardRow = rowOf('GET', '/users/{username}/events/orgs/{org}')
const events: Permissions = { organization: { events: 'read' } }

/** Somebody else than the user in the path, or nobody. */
interface Visitor {
  readonly aspect: string
  readonly title: string
  readonly who: { readonly caller?: Needing<Caller> }
  readonly caller?: Caller
}

const visitors: readonly Visitor[] = [
  { aspect: 'anonymous', title: 'rejects a request without a token', who: {} },
  { aspect: 'invented-token', title: 'rejects a token that was never issued', who: {}, caller: inventedToken },
  { aspect: 'other-user', title: 'rejects an unrelated user', who: { caller: role('outsider') } },
  { aspect: 'other-member', title: 'rejects another member of the organisation', who: { caller: role('member') } },
  {
    aspect: 'other-owner',
    title: 'rejects an owner of the organisation who is not the user in the path',
    who: { caller: role('org-owner') },
  },
  {
    aspect: 'other-member-app',
    title: "rejects another member's app user token with the Events permission",
    who: { caller: token({ kind: 'app-user', of: 'member', permissions: events }) },
  },
  {
    aspect: 'other-member-fine-grained',
    title: "rejects another member's fine-grained token with the Events permission",
    who: { caller: token({ kind: 'fine-grained', of: 'member', permissions: events }) },
  },
]

/** A token of the user's own, or of an app on the organisation, by what it holds there. */
interface OwnToken {
  readonly aspect: string
  readonly title: string
  readonly kind: MatrixKind
  readonly holding: Holding
  readonly expects: MatrixCell['expects']
}

const ownTokens: readonly OwnToken[] = [
  ...(['app-user', 'fine-grained'] as const).flatMap((kind): OwnToken[] => [
    {
      ...{ aspect: kind, kind, holding: 'granted', expects: 'granted' },
      title: `accepts the user's ${kind} token with the Events permission`,
    },
    {
      ...{ aspect: `${kind}-bare`, kind, holding: 'nothing', expects: 'refused' },
      title: `rejects the user's ${kind} token without the Events permission`,
    },
    {
      ...{ aspect: `${kind}-other`, kind, holding: 'others', expects: 'refused' },
      title: `rejects the user's ${kind} token with every other permission`,
    },
  ]),
  {
    ...{ aspect: 'app-installation', kind: 'app-installation', holding: 'listed', expects: 'refused' },
    title: 'rejects an app installation token, which belongs to no user',
  },
]

/** The dashboard asks for two things at once: to be that user, and for apps the organisation permission Events (readings F18). */
export function dashboardAccessChecks<const Needs extends NeedMap>(feed: Feed<Needs>): Check[] {
  const claim = { requirement: 'events.access.dashboard', level: 'must', needs: feed.needs } as const
  return [
    ...visitors.map(({ aspect, title, who, caller: known = anonymous }) =>
      check({
        ...claim,
        id: `${feed.id}.${aspect}`,
        title,
        conclusive: true,
        also: { ...who, owner: role('owner'), username: loginOf('owner') },
        run: async (t, needs, { caller = known, owner, username }) => {
          requireTwoUsers(t, caller, { ...owner, login: username })
          await isRefused(t, feed, needs, caller)
        },
      }),
    ),
    ...ownTokens.map(({ aspect, title, kind, holding, expects }) =>
      check({
        ...claim,
        id: `${feed.id}.${aspect}`,
        title,
        asks: ['token'],
        ...(expects === 'refused' ? { conclusive: true } : {}),
        matrix: { owner: 'organization', category: 'Events', kind, access: accessOf(holding), expects },
        run: async (t, needs) => {
          const holder = await t.tokenFor(requestFor(kind, String(feed.at(needs).params?.org), holding))
          if (expects === 'refused') return isRefused(t, feed, needs, holder)
          const own = await open(t, feed, needs).page()
          showsAlike(t, await expectServed(t, open(t, feed, needs, holder).request(), 200), own)
        },
      }),
    ),
  ]
}

async function isRefused<Needs extends NeedMap>(
  t: CheckContext,
  feed: Feed<Needs>,
  needs: Resolved<Needs>,
  caller: Caller,
): Promise<void> {
  const [request, entitled] = [open(t, feed, needs, caller).request(), open(t, feed, needs).request()]
  await expectRefused(t, { request, entitled, resource: 'event' })
}

/** The token to ask for on the organisation's account; "every other permission" includes the user permission Events (readings F17, F20). */
function requestFor(kind: MatrixKind, org: string, holding: Holding): TokenRequest {
  const request = tokenRequest(dashboardRow, kind, 'owner', org, holding)
  if (holding !== 'others') return request
  return { ...request, ask: { ...request.ask, user: { ...request.ask?.user, events: 'read' } } }
}

function accessOf(holding: Holding): MatrixCell['access'] {
  return holding === 'granted' || holding === 'listed' ? 'read' : 'none'
}
