import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import type { NeedName } from '../../../src/spec/needs.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject, type JsonObject } from '../../../src/suite/located.ts'
import { expectNoServerError } from '../../common/access.ts'
import { endsWith } from '../../common/names.ts'
import { threadPaths } from './thread-shape.ts'
import { aboutThread, currentThread, lasting, soon } from './threads.ts'

/** Sets the subscription of a thread of the user's own. Ends the check as untested where neither it nor that thread is returned. */
export async function subscribe(
  t: CheckContext,
  owner: Caller,
  thread_id: string,
  body: object,
  from: NeedName = 'shared-thread',
): Promise<Exchange> {
  const answer = await t.send(aboutThread(endpoints.setSubscription, thread_id, owner, body))
  if (!answer.ok || !isObject(answer.json)) await currentThread(t, owner, thread_id, from)
  return answer
}

/** Makes sure that a thread has a subscription; ends the check as untested where it cannot be made. */
export async function subscribed(t: CheckContext, owner: Caller, thread_id: string, from?: NeedName): Promise<void> {
  const answer = await subscribe(t, owner, thread_id, { ignored: false }, from)
  expectNoServerError(t, answer)
  if (answer.status >= 400) t.untested(`the subscription could not be set (${answer.status})`)
}

/**
 * Makes sure that a thread is ignored, so that a later change shows and may not be answered 304 (readings B12); ends the check
 * as untested where it does not become so.
 */
export async function ignored(t: CheckContext, owner: Caller, thread_id: string): Promise<void> {
  const answer = await subscribe(t, owner, thread_id, { ignored: true })
  expectNoServerError(t, answer)
  const read = await readSubscription(t, owner, thread_id)
  if (!states(read, { ignored: true })) t.untested(`the thread could not be ignored (${answer.status}, then ${stateOf(read)})`)
}

export async function readSubscription(t: CheckContext, owner: Caller, thread_id: string): Promise<Exchange> {
  return t.send(aboutThread(endpoints.getSubscription, thread_id, owner))
}

/** An answer states a subscription, and reading it back states the same (readings D19). */
export async function holdsFor(
  t: CheckContext,
  owner: Caller,
  thread_id: string,
  answer: Exchange,
  wanted: Readonly<Record<string, boolean>>,
): Promise<void> {
  // 304 says that nothing was to change: the subscription that is read back shows whether that is so (readings B12).
  if (answer.status !== 304 && !states(answer, wanted))
    t.deviation({ expected: show(wanted), actual: shown(answer), exchanges: [answer] })
  let last = answer
  const kept = await soon(t, 'the subscription to be kept', async () => {
    last = await readSubscription(t, owner, thread_id)
    return states(last, wanted) ? last : undefined
  })
  if (!kept) t.deviation({ expected: `${show(wanted)} when read back`, actual: shown(last), exchanges: [answer, last] })
  t.examined(2)
}

/** What was set by a request that was served stays so while nobody sets it anew: it is read again after two seconds. */
export async function subscriptionLasts(t: CheckContext, owner: Caller, thread_id: string): Promise<void> {
  for (const wanted of [{ ignored: true }, { ignored: false, subscribed: true }]) await lasts(t, owner, thread_id, wanted)
}

async function lasts(t: CheckContext, owner: Caller, thread_id: string, wanted: Readonly<Record<string, boolean>>) {
  const answer = await subscribe(t, owner, thread_id, { ignored: wanted.ignored }, 'muting-thread')
  let last = answer
  const isSet = async () => {
    last = await readSubscription(t, owner, thread_id)
    return states(last, wanted) ? true : undefined
  }
  if (!(await soon(t, 'the subscription to be set', isSet))) t.untested(`the subscription could not be set (${stateOf(last)})`)
  await t.wait(lasting, 'an effect that must last')
  if (await soon(t, 'the subscription to be set still', isSet)) return t.examined(1)
  const expected = `${show(wanted)} after two seconds, as before`
  t.deviation({ expected, actual: shown(last), exchanges: [answer, last] })
}

function states({ json }: Exchange, wanted: Readonly<Record<string, boolean>>): boolean {
  return isObject(json) && Object.entries(wanted).every(([name, value]) => json[name] === value)
}

/** The members that say what a subscription is; undefined where there is none. */
export function stateOf({ status, json }: Exchange): string {
  const { subscribed, ignored } = isObject(json) ? json : ({} as JsonObject)
  return status === 200 ? show({ subscribed, ignored }) : String(status)
}

function shown(answer: Exchange): string {
  return stateOf(answer)
}

function show(members: object): string {
  return JSON.stringify(members)
}

/** `url` and `thread_url` end with the paths of the subscription and its thread (readings D25). */
export function leadsToThread(t: CheckContext, thread_id: string): (subscription: JsonObject) => boolean {
  const { thread, subscription } = threadPaths(t, thread_id)
  return ({ url, thread_url }) => endsWith(url, subscription) && endsWith(thread_url, thread)
}
