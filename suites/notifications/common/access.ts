import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import type { Permissions, Role } from '../../../src/spec/needs.ts'
import { isLatest } from '../../../src/spec/versions.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { type NeedMap, type Resolved, role, token } from '../../../src/suite/needs.ts'
import { briefly, everyTime, sendOrRead } from '../../../src/suite/observe.ts'
import {
  type Effect,
  expectRefused,
  isChanged,
  judgeRefused,
  requireServed,
} from '../../common/access.ts'
import { type CallerRow, callerChecks, callerKinds, classicOnly } from '../../common/callers.ts'
import {
  givenParameters,
  inventedToken,
  requireProven,
  unlessDeviating,
  unlessUntested,
} from '../../common/proof.ts'
import { type Grant, operationOf, type Request, requestTo } from './access-request.ts'
import { grantChecks } from './grants.ts'
import { privateThread } from './threads.ts'

/** The access rules of an endpoint. */
export interface Access<Needs extends NeedMap, Granted extends NeedMap = NeedMap>
  extends Request,
    Grant<Needs> {
  /** The facts that the request would change, as the entitled user sees them; after it, the facts of `before` are looked for. */
  readonly effect?: (
    t: CheckContext,
    needs: Resolved<Needs>,
    entitled: Caller,
    before?: Effect,
  ) => Promise<Effect>
  /** Makes test data on which the effect is visible once more, if wanted of a private repository: by default, a thread. */
  readonly anew?: (
    t: CheckContext,
    entitled: Caller,
    isPrivate: boolean,
  ) => Promise<Partial<Resolved<Needs>>>
  /** The request that entitled tokens send, if it uses up test data. */
  readonly granted?: Grant<Granted>
}

/** No parameter of a list opens it to a caller who is refused otherwise. */
const everyParameter = {
  all: true,
  participating: true,
  since: '2000-01-01T00:00:00Z',
}

/** No permission opens the endpoints to a token of the wrong kind. */
const irrelevant: Permissions = {
  repository: { metadata: 'read', issues: 'write' },
  user: { followers: 'write' },
}
/** Refuses and serves the right callers (document: Authentication, rule 5; Errors, 401). */
export function accessChecks<const Needs extends NeedMap, const Granted extends NeedMap>(
  access: Access<Needs, Granted>,
) {
  const { of = 'owner', granted } = access
  const listed401 = access.endpoint.others.includes(401)
  return [
    ...refusalChecks(access, refusedCallers(of, listed401)),
    ...(listed401 ? [invalidTokenCheck(access)] : []),
    ...(granted ? grantChecks(access, granted) : grantChecks(access, access)),
  ]
}

function refusedCallers(of: Role, listed401: boolean): CallerRow[] {
  return [
    {
      ...callerKinds.anonymous,
      aspect: 'anonymous',
      own: { requirement: `notifications.access.anonymous${listed401 ? '-401' : ''}` },
      exactly: listed401 ? 401 : undefined,
    },
    {
      aspect: 'scope-missing',
      whom: 'a classic token without the scope notifications or repo',
      own: { requirement: 'notifications.access.scopes' },
      token: token({ kind: 'classic', of, scopes: [] }),
    },
    ...classicOnly('notifications', (kind) => {
      // An installation belongs to no user.
      const whose = kind === 'app-installation' ? {} : { of }
      return { token: token({ kind, ...whose, broadest: true, ask: irrelevant, instead: {} }) }
    }),
  ]
}

/** The requests of the callers are refused, without an effect that the entitled user sees. */
function refusalChecks<Needs extends NeedMap, Granted extends NeedMap>(
  access: Access<Needs, Granted>,
  callers: readonly CallerRow[],
) {
  const { id, of = 'owner', endpoint, resource, prepares, effect, anew = newThread } = access
  return callerChecks(
    operationOf(access, access.needs),
    { entitled: role(of) },
    callers,
    async (t, needs, { entitled }, { caller, row }) => {
      const { aspect, exactly } = row
      const requestOn = (at: CheckContext, data: Resolved<Needs>, isPrivate = false) =>
        requestTo(at, endpoint, access.address(at, data, entitled, isPrivate))
      if (!effect) {
        const request = await requestOn(t, needs)
        const isOfRepository = endpoint === endpoints.listRepositoryNotifications && isLatest(t)
        // A cache may keep the response to the entitled user for all callers, if only for a second.
        const shared = aspect !== 'anonymous'
        if (endpoint.method === 'GET' && !prepares)
          await requireServed(t, { ...request, as: entitled }, { shared })
        return expectRefused(t, {
          request: { ...request, as: caller },
          otherwise: {
            ...(endpoint.paging && { query: everyParameter }),
            ...(isOfRepository && (await givenParameters(t, 'private-repository'))),
          },
          resource,
          exactly,
        })
      }
      const together = await t.shared(`rejections of ${id}`, async (at) => {
        const attemptOn = async (data: Resolved<Needs>, isPrivate = false) => ({
          request: await requestOn(at, data, isPrivate),
          look: async (before?: Effect) => {
            const look = () => effect(at, data, entitled, before)
            if (before) return look()
            // New data may be visible a little later than the given data (readings G16).
            const isVisible = ({ visible }: Effect) => visible
            const what = data === needs ? 'the given data' : 'new data'
            return (await briefly(at, what, look, isVisible)).last
          },
        })
        const newly = async (isPrivate: boolean) => {
          const made = await unlessDeviating(unlessUntested(anew(at, entitled, isPrivate)))
          return isPrivate && !made ? [] : [await attemptOn({ ...needs, ...made }, isPrivate)]
        }
        const ofPrivate = () => (endpoint.path?.includes('{') ? newly(true) : [])
        const given = [await attemptOn(needs), ...(await ofPrivate())]
        const other = async () => [...(await newly(false)), ...(await ofPrivate())]
        return sentTogether(at, given, callers, other)
      })
      const send = async (): Promise<Sent> => ({
        response: await t.send({ ...(await requestOn(t, needs)), as: caller }),
      })
      const { response, isDone } = together.get(aspect) ?? (await send())
      judgeRefused(t, response, { resource, exactly, flaw: isDone && 'and the write took effect' })
      await requireProven(t, caller)
      if (isDone === undefined)
        t.untested(
          'the response is a refusal, but whether the request changed data could not be seen',
        )
    },
  )
}

/** A new thread of the owner's, if wanted of a private repository. */
async function newThread(t: CheckContext, _: Caller, isPrivate: boolean) {
  return { thread: await (isPrivate ? privateThread(t) : t.ask('unread-thread', {})) } as object
}

/** A request that must be refused, and how the facts are read that it would change. */
interface Attempt {
  readonly request: Omit<RequestSpec, 'as'>
  readonly look: (before?: Effect) => Promise<Effect>
}

/** The response to a refused request, and whether the request had an effect: undefined if that could not be seen. */
interface Sent {
  readonly response: Exchange
  readonly isDone?: boolean | undefined
}

/**
 * The requests of all callers between two readings. Those of callers who were not served are sent again unless they had no effect:
 * each between two readings of its own, on new data at first and after an effect. Another program may change the data as well, so
 * an effect is left to the confirmation, where it must show each time.
 */
async function sentTogether(
  t: CheckContext,
  refusals: readonly Attempt[],
  callers: readonly CallerRow[],
  anew: () => Promise<readonly Attempt[]>,
) {
  const sent = await sentBetween(t, refusals, callers)
  let usable: readonly Attempt[] = []
  for (const row of callers) {
    const { response, isDone } = sent.get(row.aspect) ?? {}
    if (!response || response.ok || (response.refused && isDone === false)) continue
    const own = await everyTime(t, async () => {
      if (usable.length === 0) usable = await anew()
      const each = (await sentBetween(t, usable, [row])).get(row.aspect)
      if (each?.isDone === false) sent.set(row.aspect, each)
      if (!each?.isDone) return undefined
      usable = []
      t.mayRepeat('an effect of a refused request')
      return each
    })
    if (own && !t.isSuspicious()) sent.set(row.aspect, own)
    if (!own && sent.get(row.aspect)?.isDone !== false) break
  }
  return sent
}

/** The requests of some callers between two readings: of each caller, a response that is no refusal, if there is one. */
async function sentBetween(
  t: CheckContext,
  refusals: readonly Attempt[],
  callers: readonly CallerRow[],
): Promise<Map<string, Sent>> {
  const looks: (() => Promise<boolean | undefined>)[] = []
  for (const { look } of refusals) {
    const before = await unlessDeviating(look())
    looks.push(async () => {
      const after = before?.visible && (await unlessDeviating(look(before)))
      return after ? isChanged(before, after) : undefined
    })
  }
  const responses = new Map<string, Exchange>()
  for (const { aspect, token: wanted, known } of callers) {
    const as = wanted?.type === 'token' ? await unlessUntested(t.tokenFor(wanted.request)) : known
    for (const { request } of refusals) {
      const response = as && (await unlessUntested(t.send({ ...request, as })))
      if (response && !(response.refused && responses.has(aspect))) responses.set(aspect, response)
    }
  }
  const seen = await Promise.all(looks.map((look) => look()))
  const isKept = seen.every((moved) => moved === false)
  // An effect after several requests proves nothing about one of them.
  const isOwn = callers.length === 1 && seen.includes(true)
  const isDone = isKept ? false : isOwn || undefined
  return new Map([...responses].map(([aspect, response]) => [aspect, { response, isDone }]))
}

function invalidTokenCheck<Needs extends NeedMap, Granted extends NeedMap>(
  access: Access<Needs, Granted>,
) {
  const { endpoint, prepares } = access
  return operationOf(access, access.needs).check(
    'invalid-token',
    'returns 401 for a token that was never issued',
    {
      requirement: 'notifications.access.invalid-token',
      level: 'should',
      also: { entitled: role(access.of ?? 'owner') },
    },
    async (t, needs, { entitled }) => {
      const request = await requestTo(t, endpoint, access.address(t, needs, entitled, false))
      const reading =
        endpoint.method === 'GET' ? request : { endpoint: endpoints.listNotifications }
      if (!prepares) await requireServed(t, { ...reading, as: entitled }, { shared: true })
      t.expect(await sendOrRead(t, { ...request, as: inventedToken })).status(401)
    },
  )
}
