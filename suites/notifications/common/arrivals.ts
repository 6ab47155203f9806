import type { Caller } from '../../../src/http/exchange/caller.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import type { NeedName } from '../../../src/spec/needs.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import type { JsonObject, Located } from '../../../src/suite/located.ts'
import { arrives, policies, soon } from '../../../src/suite/observe.ts'
import { aboutThread, currentThread } from './threads.ts'

/** A thread on which a notification is awaited, and the need that named it. */
export interface Awaited {
  readonly owner: Caller
  readonly thread_id: string
  readonly from: NeedName
}

/** A new thread with one cause, for all checks that read or mark it. */
export function threadBecauseOf(t: CheckContext, reason: string): Promise<{ thread_id: string }> {
  return t.shared(`thread with the reason ${reason}`, (shared) => shared.ask('new-notification', { reason }))
}

/** Marks a thread read, so that a later notification is visible. Ends the check as untested if that is not possible. */
export async function startRead(t: CheckContext, thread: Awaited): Promise<void> {
  const { owner, thread_id } = thread
  if (!(await isUnread(t, thread))) return
  const { status } = await t.send(aboutThread(endpoints.markThreadRead, thread_id, owner))
  const policy = status < 400 ? policies.soon : policies.briefly
  const isRead = async () => !(await isUnread(t, thread))
  const { met } = await soon(t, 'the thread to be read', isRead, Boolean, policy)
  if (!met) t.untested(`the thread ${thread_id} could not be marked read (${status})`)
}

export async function isUnread(t: CheckContext, { owner, thread_id, from }: Awaited): Promise<boolean> {
  return (await currentThread(t, owner, thread_id, from)).value.unread === true
}

/**
 * The thread once `cause` has made it unread. A cause without an effect is repeated: a server may not distinguish it from the
 * marking in the same second (readings B9).
 */
export async function notified(
  t: CheckContext,
  { owner, thread_id, from }: Awaited,
  cause: () => Promise<unknown>,
): Promise<Located<JsonObject> | undefined> {
  const unread = async () => {
    const thread = await currentThread(t, owner, thread_id, from)
    return thread.value.unread === true ? thread : undefined
  }
  const what = `a notification on thread ${thread_id}`
  await cause()
  const { last } = await soon(t, what, unread, undefined, policies.briefly)
  if (last) return last
  await cause()
  return arrives(t, what, unread)
}
