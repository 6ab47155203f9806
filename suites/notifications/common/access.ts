import { anonymous, type Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import type { Endpoint } from '../../../src/spec/endpoint.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import type { TokenKind } from '../../../src/spec/needs.ts'
import { type Check, check, type Schedule } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { itemsOf } from '../../../src/suite/located.ts'
import { type Needing, type NeedMap, type Resolved, role, token } from '../../../src/suite/needs.ts'
import { type Denial, type Effect, expectDenied, expectGranted, refusedKindCell, requireServed } from '../../common/access.ts'
import { inventedToken, unlessDeviating } from '../../common/proof.ts'
import { inboxOfRole, sharedSubscription, subscribedThread, wholeInbox } from './touched.ts'

/** Where a request goes and what it carries, without its caller. */
interface Address extends Pick<RequestSpec, 'params' | 'body'> {
  /** What the entitled user saw while the address was found: it need not be read again before the request. */
  readonly seen?: Effect
}

/** Finds the address of a request; `entitled` is the user whose notifications it is about. */
type FindAddress<Needs extends NeedMap> = (t: CheckContext, needs: Resolved<Needs>, entitled: Caller) => Promise<Address>

/** What an entitled token asks for. */
interface Grant<Needs extends NeedMap> {
  readonly needs: Needs
  readonly address: FindAddress<Needs>
  /** Ends the check as failed where the request that was served had no effect. */
  readonly done?: (t: CheckContext, needs: Resolved<Needs>, entitled: Caller, answer: Exchange) => Promise<void>
}

/** One of the ten endpoints, seen by those who may use it and those who may not. */
export interface Operation<Needs extends NeedMap, Granted extends NeedMap = NeedMap> {
  readonly id: string
  readonly endpoint: Endpoint
  /** Whose notifications are at stake: those of a dedicated user where a wrongly accepted request changes many. */
  readonly of: 'owner' | 'inbox-user'
  /** What a refusal must not hold. */
  readonly resource: 'thread' | 'thread-subscription'
  readonly needs: Needs
  readonly address: FindAddress<Needs>
  /** Finding the address changes something. */
  readonly prepares?: boolean
  /** What the request would change, as the entitled user sees it; after it, the facts of `before` are looked for. */
  readonly effect?: (t: CheckContext, needs: Resolved<Needs>, entitled: Caller, before?: Effect) => Promise<Effect>
  /** Makes what can show the effect once more. */
  readonly anew?: (t: CheckContext, needs: Resolved<Needs>, entitled: Caller) => Promise<Resolved<Needs>>
  /** The request that entitled tokens send, where it uses something up. */
  readonly granted?: Grant<Granted>
}

const refusedKinds: readonly TokenKind[] = ['app-user', 'app-installation', 'fine-grained']
const sufficientScopes = ['notifications', 'repo'] as const

/** One caller who must be refused: nobody where neither `caller` nor `who` says more. */
interface Refused {
  readonly aspect: string
  readonly title: string
  readonly requirement: string
  readonly who: { readonly caller?: Needing<Caller> }
  readonly caller?: Caller
  /** The one status that the document lists. */
  readonly exactly?: number
  /** The token's kind, where that is why it is refused. */
  readonly kind?: TokenKind
}

/** Who may use an endpoint (document: Authentication, rule 5; Errors, 401). */
export function accessChecks<const Needs extends NeedMap, const Granted extends NeedMap>(
  operation: Operation<Needs, Granted>,
): Check[] {
  const { of, granted } = operation
  const listed = operation.endpoint.others.includes(401)
  const [nobody, ...others] = refusedCallers(of, listed)
  return [
    ...(nobody ? [refusal(operation, nobody)] : []),
    ...(listed ? [invalidTokenCheck(operation)] : []),
    ...others.map((refused) => refusal(operation, refused)),
    ...sufficientScopes.map((scope) => (granted ? grant(operation, granted, scope) : grant(operation, operation, scope))),
  ]
}

function refusedCallers(of: Operation<NeedMap>['of'], listed: boolean): Refused[] {
  return [
    {
      aspect: 'anonymous',
      title: 'rejects a request without a token',
      requirement: listed ? 'notifications.access.anonymous-401' : 'notifications.access.anonymous',
      who: {},
      ...(listed ? { exactly: 401 } : {}),
    },
    {
      aspect: 'invented-token',
      title: 'rejects a token that was never issued',
      requirement: 'notifications.access.invented-token',
      who: {},
      caller: inventedToken,
    },
    {
      aspect: 'scope-missing',
      title: 'rejects a classic token without the scope notifications or repo',
      requirement: 'notifications.access.scopes',
      who: { caller: token({ kind: 'classic', of, scopes: [] }) },
    },
    ...refusedKinds.map((kind) => ({
      aspect: kind,
      title: `rejects a token of kind ${kind}`,
      requirement: 'notifications.access.token-kinds',
      // An installation acts as nobody, so it belongs to no user.
      who: { caller: kind === 'app-installation' ? token({ kind }) : token({ kind, of }) },
      kind,
    })),
  ]
}

function claimOf({
  endpoint,
  of,
  resource,
  prepares = false,
}: Pick<Operation<NeedMap>, 'endpoint' | 'of' | 'resource' | 'prepares'>) {
  const changes = endpoint.method !== 'GET' || prepares
  const schedule: Schedule = changes ? 'alone' : 'shared'
  if (!changes) return { schedule }
  if (of === 'inbox-user') return { schedule, writes: true, touches: inboxOfRole }
  if (resource !== 'thread-subscription') return { schedule, writes: true, touches: wholeInbox }
  return { schedule, writes: true, touches: endpoint.method === 'GET' ? subscribedThread : sharedSubscription }
}

function refusal<const Needs extends NeedMap, const Granted extends NeedMap>(
  operation: Operation<Needs, Granted>,
  { aspect, title, requirement, who, caller: known = anonymous, exactly, kind }: Refused,
): Check {
  return check({
    id: `${operation.id}.${aspect}`,
    requirement,
    level: 'must',
    title,
    conclusive: true,
    ...(kind ? { matrix: refusedKindCell('notifications', kind) } : {}),
    needs: operation.needs,
    also: { entitled: role(operation.of), ...who },
    ...claimOf(operation),
    run: async (t, needs, { entitled, caller = known }) => {
      await isRefused(t, operation, { needs, entitled, caller, exactly })
    },
  })
}

/** The address of a request. Who may send it is not judged where the list that it is taken from is not served. */
async function found(t: CheckContext, address: Promise<Address>): Promise<Address> {
  return (await unlessDeviating(address)) ?? t.untested('what the request would be about could not be read', 'unread-thread')
}

/** The request of one caller is refused, without an effect on what the entitled user sees. */
async function isRefused<const Needs extends NeedMap>(
  t: CheckContext,
  { endpoint, resource, address, prepares, effect, anew }: Omit<Operation<Needs>, 'granted'>,
  { needs, entitled, caller, exactly }: { needs: Resolved<Needs>; entitled: Caller; caller: Caller; exactly: number | undefined },
): Promise<void> {
  const refusalOf = async (given: Resolved<Needs>): Promise<Denial> => {
    const { seen, ...where } = await found(t, address(t, given, entitled))
    const control = { endpoint, ...where, as: entitled }
    if (endpoint.method === 'GET' && !seen) await requireServed(t, control, { shared: !prepares })
    const seenFirst = [seen]
    return {
      request: { endpoint, as: caller, ...where },
      ...{ resource, exactly, effect: effect && (async (before) => seenFirst.pop() ?? effect(t, given, entitled, before)) },
    }
  }
  const wanted = await refusalOf(needs)
  await expectDenied(t, { ...wanted, anew: anew && (async () => refusalOf(await anew(t, needs, entitled))) })
}

function grant<const Needs extends NeedMap>(
  operation: Pick<Operation<NeedMap>, 'id' | 'endpoint' | 'of' | 'resource' | 'prepares'>,
  { needs, address, done }: Grant<Needs>,
  scope: string,
): Check {
  const { id, endpoint, of } = operation
  return check({
    id: `${id}.scope-${scope}`,
    requirement: 'notifications.access.scopes',
    level: 'must',
    title: `accepts a classic token with the scope ${scope} alone`,
    needs,
    also: { entitled: role(of), caller: token({ kind: 'classic', of, scopes: [scope] }) },
    ...claimOf(operation),
    ...(done ? { touches: wholeInbox } : {}),
    run: async (t, resolved, { entitled, caller }) => {
      const { seen: _, ...where } = await found(t, address(t, resolved, entitled))
      const request = { endpoint, as: caller, ...where }
      const answer = await expectGranted(t, request)
      if (endpoint.paging) await holdsSome(t, { ...request, as: entitled }, answer)
      await done?.(t, resolved, entitled, answer)
    },
  })
}

/** A list without anything grants nothing where the user's own token is shown something. */
async function holdsSome(t: CheckContext, entitled: RequestSpec, answer: Exchange): Promise<void> {
  if (answer.status !== 200 || itemsOf(answer).length > 0) return
  const own = await t.send(entitled)
  if (itemsOf(own).length === 0) t.untested('the list is empty', 'unread-thread')
  t.deviation({ expected: 'threads of the user', actual: 'an empty list', exchanges: [answer, own] })
}

function invalidTokenCheck<const Needs extends NeedMap, const Granted extends NeedMap>(
  operation: Operation<Needs, Granted>,
): Check {
  return check({
    id: `${operation.id}.invalid-token`,
    requirement: 'notifications.access.invalid-token',
    level: 'should',
    title: 'returns 401 for a token that was never issued',
    needs: operation.needs,
    also: { entitled: role(operation.of) },
    ...claimOf(operation),
    run: async (t, needs, { entitled }) => {
      const { seen: _, ...where } = await found(t, operation.address(t, needs, entitled))
      const request = { endpoint: operation.endpoint, ...where }
      const reading = operation.endpoint.method === 'GET' ? request : { endpoint: endpoints.listNotifications }
      await requireServed(t, { ...reading, as: entitled }, { shared: !operation.prepares })
      t.expect(await t.send({ ...request, as: inventedToken })).status(401)
    },
  })
}
