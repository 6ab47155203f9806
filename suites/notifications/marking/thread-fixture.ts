import type { Caller } from '../../../src/http/exchange/caller.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { Listing } from '../../../src/suite/listing.ts'
import type { JsonObject, Located } from '../../../src/suite/located.ts'
import { eventually } from '../../../src/suite/observe.ts'
import { unlessUntested } from '../../common/proof.ts'
import { notified } from '../common/arrivals.ts'
import { findListed } from '../common/listed-threads.ts'
import { aboutThread, currentThread, inboxOf, instantOf, unreadThread } from '../common/threads.ts'

/** An unread thread becomes read when it is marked. Returns it as it is afterwards. */
export async function expectMarked(t: CheckContext, owner: Caller, { value }: Located<JsonObject>): Promise<Located<JsonObject>> {
  const thread_id = String(value.id)
  const response = await t.send(aboutThread(endpoints.markThreadRead, thread_id, owner))
  const read = () => currentThread(t, owner, thread_id)
  const { last, met } = await eventually(t, 'the thread to be read', read, ({ value: now }) => now.unread === false)
  t.expect(response).satisfy(`unread: false for thread ${thread_id}`, met, 'it stays unread')
  return last
}

/** True when the default list contains a thread as unread; the thread itself need not be served any more. `find` depends on the expected result. */
export async function isUnreadInInbox(t: CheckContext, owner: Caller, thread_id: string, find = findListed): Promise<boolean> {
  const thread = (await unlessUntested(currentThread(t, owner, thread_id)))?.value ?? { id: thread_id }
  return (await find(t, new Listing(t, inboxOf(owner)), thread, {}))?.value.unread === true
}

/** Neither marking nor a notification sets `last_read_at` back (readings D28). A late node still has the old one (readings G16). */
export async function expectReadLater(t: CheckContext, owner: Caller, thread_id: string): Promise<void> {
  const before = await unreadThread(t, owner, thread_id)
  const after = await expectMarked(t, owner, before)
  const thread = { owner, thread_id, from: 'unread-thread' } as const
  await unlessUntested(notified(t, thread, () => t.ask('new-notification', { thread_id })))
  const readAt = ({ value }: Located<JsonObject>) => instantOf(value.last_read_at)
  if (Number.isNaN(readAt(before) + readAt(after))) return t.untested('last_read_at is not a timestamp before and after the mark')
  const isLater = (now: Located<JsonObject>) => readAt(now) >= readAt(after) && readAt(after) >= readAt(before)
  const { last, met } = await eventually(t, 'a later last_read_at', () => currentThread(t, owner, thread_id), isLater)
  const actual = [before, after, last].map(({ value }) => String(value.last_read_at)).join(', then ')
  t.expect(after.exchange, before.exchange).satisfy('a last_read_at that never moves back', met, actual)
}
