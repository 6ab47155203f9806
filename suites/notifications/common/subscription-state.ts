import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { type Endpoint, endpoints } from '../../../src/spec/endpoints.ts'
import type { NeedName } from '../../../src/spec/needs.ts'
import { operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject, type JsonObject } from '../../../src/suite/located.ts'
import { need, role } from '../../../src/suite/needs.ts'
import { eventually, type Looking, sendUntil, unchanged } from '../../../src/suite/observe.ts'
import { type Effect, expectNoServerError } from '../../common/access.ts'
import { endsWith } from '../../common/names.ts'
import { threadPaths } from './thread-shape.ts'
import { aboutThread, currentThread } from './threads.ts'

/** The operation of an endpoint on the subscription of a thread, and the needs of its access checks. */
export function ofSubscription<Name extends string>(name: Name, endpoint: Endpoint) {
  const needs = { thread: need('shared-thread') }
  const id = `notifications.${name}` as const
  const operated = operation({
    id,
    endpoint,
    needs: { owner: role('owner'), ...needs },
    level: 'must',
  })
  return { about: { id, endpoint, resource: 'thread-subscription', needs } as const, operated }
}

/** Sets the subscription of a thread of the user's own. Ends the check as untested if neither it nor that thread is returned. */
export async function subscribe(
  t: CheckContext,
  owner: Caller,
  thread_id: string,
  body: object,
  from: NeedName = 'shared-thread',
): Promise<Exchange> {
  const response = await t.send(aboutThread(endpoints.setSubscription, thread_id, owner, body))
  if (!response.ok || !isObject(response.json)) await currentThread(t, owner, thread_id, from)
  return response
}

/** Makes sure that a thread has a subscription; ends the check as untested if it cannot be made. */
export async function subscribed(
  t: CheckContext,
  owner: Caller,
  thread_id: string,
  from?: NeedName,
  ignored = false,
) {
  const set = () => subscribe(t, owner, thread_id, { ignored }, from)
  const first = await set()
  // A new thread may be unknown to the first request, after which it is waited for (readings G16).
  const response = first.status === 404 ? await set() : first
  expectNoServerError(t, response)
  if (response.status >= 400) t.untested(`the subscription could not be set (${response.status})`)
}

/** Ignores a thread or subscribes to it, and reads until that is returned, so that no later reading is older (readings G16). */
export async function prepared(
  t: CheckContext,
  owner: Caller,
  thread_id: string,
  ignored: boolean,
) {
  await subscribed(t, owner, thread_id, 'shared-thread', ignored)
  // A 304 is no older subscription, and other checks judge it (readings B12).
  const isShown = (state: Exchange) => state.status === 304 || states(state, { ignored })
  const last = await sendUntil(t, aboutThread(endpoints.getSubscription, thread_id, owner), isShown)
  if (!isShown(last)) t.untested(`the subscription stays ${stateOf(last)}`)
}

export async function readSubscription(
  t: CheckContext,
  owner: Caller,
  thread_id: string,
): Promise<Exchange> {
  return t.send(aboutThread(endpoints.getSubscription, thread_id, owner))
}

/** The subscription that a request would change, which is visible in this state. */
export async function subscriptionShown(
  t: CheckContext,
  user: Caller,
  thread_id: string,
  visible: string,
): Promise<Effect> {
  const state = stateOf(await readSubscription(t, user, thread_id))
  return { facts: [state], visible: state.includes(visible) }
}

/** The state that {@link subscribed} sets. */
export const subscribedState = JSON.stringify({ subscribed: true, ignored: false })

/** The subscription of a thread: at once in the `expected` state, any other once it is at rest, since replicas may be late (readings G16). */
export async function restingSubscription(
  t: CheckContext,
  owner: Caller,
  thread_id: string,
  expected: string,
) {
  const read = () => readSubscription(t, owner, thread_id)
  const first = await read()
  if (stateOf(first) === expected) return first
  const resting = await unchanged(
    t,
    'the subscription to be at rest',
    read,
    (a, b) => stateOf(a) === stateOf(b),
  )
  return resting ?? t.untested('the subscription does not come to rest')
}

/** The members of a subscription that a request sets. */
export type Wanted = Readonly<Record<string, boolean>>

/** A response states a subscription, and reading it back returns the same (readings D19), two seconds later if it must last. */
export async function expectSubscription(
  t: CheckContext,
  owner: Caller,
  thread_id: string,
  response: Exchange,
  wanted: Wanted,
  look: Looking = eventually,
) {
  const expected = JSON.stringify(wanted)
  // 304 says that nothing was to change. The subscription that is read back decides (readings B12).
  if (response.status !== 304)
    t.expect(response).satisfy(expected, states(response, wanted), stateOf(response))
  const isKept = (state: Exchange) => states(state, wanted)
  const { last, met } = await look(
    t,
    'the subscription to be set',
    () => readSubscription(t, owner, thread_id),
    isKept,
  )
  t.expect(last, response).satisfy(
    `${expected} when read back, and from then on`,
    met,
    stateOf(last),
  )
}

function states({ status, json }: Exchange, wanted: Wanted) {
  return (
    status < 400 &&
    isObject(json) &&
    Object.entries(wanted).every(([name, value]) => json[name] === value)
  )
}

/** The members that state a subscription, or the status without one. */
export function stateOf({ status, json }: Exchange) {
  const { subscribed, ignored } = isObject(json) ? json : ({} as JsonObject)
  return status === 200 ? JSON.stringify({ subscribed, ignored }) : String(status)
}

/** `url` and `thread_url` end with the paths of the subscription and its thread (readings D25). */
export function leadsToThread(
  t: CheckContext,
  thread_id: string,
): (subscription: JsonObject) => boolean {
  const { thread, subscription } = threadPaths(t, thread_id)
  return ({ url, thread_url }) => endsWith(url, subscription) && endsWith(thread_url, thread)
}
