import type { Caller } from '../../../src/http/exchange/caller.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import type { NeedName } from '../../../src/spec/needs.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject, type JsonObject, type Located } from '../../../src/suite/located.ts'
import { aboutThread, currentThread, soon } from './threads.ts'

/** A thread on which a notification is awaited, and the need that it came from. */
export interface Awaited {
  readonly owner: Caller
  readonly thread_id: string
  readonly from: NeedName
}

/** Marks a thread read, so that a later notification shows. Ends the check as untested where that is not possible. */
export async function startRead(t: CheckContext, thread: Awaited): Promise<void> {
  const { owner, thread_id } = thread
  if (!(await isUnread(t, thread))) return
  await t.send(aboutThread(endpoints.markThreadRead, thread_id, owner))
  const read = await soon(t, 'the thread to be read', async () => ((await isUnread(t, thread)) ? undefined : true))
  if (!read) t.untested(`the thread ${thread_id} could not be marked read`)
}

export async function isUnread(t: CheckContext, { owner, thread_id, from }: Awaited): Promise<boolean> {
  return (await currentThread(t, owner, thread_id, from)).value.unread === true
}

/**
 * The thread once what `cause` does makes it unread. It is done a second time where nothing comes at first: a server
 * may not tell it from the marking in the same second (readings B9).
 */
export async function notified(
  t: CheckContext,
  thread: Awaited,
  cause: () => Promise<unknown>,
): Promise<Located<JsonObject> | undefined> {
  const unread = async () => {
    const found = await currentThread(t, thread.owner, thread.thread_id, thread.from)
    return found.value.unread === true ? found : undefined
  }
  const what = `a notification on thread ${thread.thread_id}`
  await cause()
  const found = await soon(t, what, unread)
  if (found) return found
  await cause()
  return t.eventually(what, unread, 5)
}

/** A new thread once it is served; it may be on its way for some time. */
export async function arrival(t: CheckContext, owner: Caller, thread_id: string): Promise<Located<JsonObject>> {
  const request = aboutThread(endpoints.getThread, thread_id, owner)
  const served = async () => {
    const exchange = await t.send(request)
    return exchange.status === 200 && isObject(exchange.json) ? { value: exchange.json, exchange, pointer: '' } : undefined
  }
  return (await t.eventually(`thread ${thread_id}`, served, 5)) ?? currentThread(t, owner, thread_id, 'new-notification')
}
