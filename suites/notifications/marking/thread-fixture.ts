import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { type Endpoint, endpoints } from '../../../src/spec/endpoints.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { type ListAddress, Listing, type Query } from '../../../src/suite/listing.ts'
import type { JsonObject, Located } from '../../../src/suite/located.ts'
import { soon } from '../../../src/suite/observe.ts'
import { unlessUntested } from '../../common/proof.ts'
import { type Awaited, isUnread, notified } from '../common/arrivals.ts'
import { findLeft, findListed } from '../common/listed-threads.ts'
import { expectStillIgnored, ignored } from '../common/subscription-state.ts'
import { aboutThread, currentThread, everything, inboxOf, instantOf, unreadThread } from '../common/threads.ts'

/** The thread becomes read after the request. */
async function expectRead(t: CheckContext, owner: Caller, answer: Exchange, thread_id: string): Promise<Located<JsonObject>> {
  const read = () => currentThread(t, owner, thread_id)
  const { last, met } = await soon(t, 'the thread to be read', read, ({ value }) => value.unread === false)
  t.expect(answer).satisfy(`unread: false for thread ${thread_id}`, met, 'it stays unread')
  return last
}

/** An unread thread becomes read when it is marked. Returns it as it was before and as it is afterwards. */
export async function expectMarked(t: CheckContext, owner: Caller, thread_id: string) {
  const before = await unreadThread(t, owner, thread_id)
  const answer = await t.send(aboutThread(endpoints.markThreadRead, thread_id, owner))
  return { before, after: await expectRead(t, owner, answer, thread_id) }
}

/** A list that a thread leaves when it is marked, and whether the thread stays among those listed with all=true. */
interface Leaving {
  readonly endpoint: Endpoint
  readonly kept: boolean
  readonly list: (thread: JsonObject, owner: Caller) => ListAddress
}

/** The default list contains the unread thread before the request only; with all=true, the thread is `kept` as read. */
export async function expectLeavesList(t: CheckContext, owner: Caller, thread_id: string, leaving: Leaving): Promise<void> {
  const { endpoint, kept, list: address } = leaving
  const { value: thread } = await unreadThread(t, owner, thread_id)
  const list = new Listing(t, address(thread, owner))
  const isListed = async (query: Query, unread: boolean) => (await findListed(t, list, thread, query))?.value.unread === unread
  if (!(await soon(t, 'the thread to be listed', () => isListed({}, true), Boolean)).met)
    t.untested(`the list does not contain thread ${thread_id} as unread`, 'unread-thread')
  const answer = await t.send(aboutThread(endpoint, thread_id, owner))
  const left = await soon(
    t,
    'the thread to leave the default list',
    () => findLeft(t, list, thread, {}),
    (found) => found === undefined || (!kept && found.value.unread !== true),
  )
  t.expect(answer).satisfy(`no unread thread ${thread_id} in the default list`, left.met, 'the thread is still listed')
  const read = !kept || (await soon(t, 'the thread to be listed as read', () => isListed(everything, false), Boolean)).met
  t.expect(answer).satisfy(`thread ${thread_id} with all=true as read`, read, 'the thread is missing or unread')
  if (kept) await expectListedAgain(t, list, { owner, thread_id, from: 'unread-thread' })
}

/** A further notification makes a read thread unread, so that the default list contains it again. */
async function expectListedAgain(t: CheckContext, list: Listing, thread: Awaited): Promise<void> {
  const { thread_id } = thread
  const renewed = await unlessUntested(notified(t, thread, () => t.ask('new-notification', { thread_id })))
  if (!renewed) return
  const isListed = async () => (await findListed(t, list, renewed.value, {})) !== undefined || !(await isUnread(t, thread))
  const { met } = await soon(t, 'the unread thread to be listed again', isListed, Boolean)
  t.expect(renewed.exchange).satisfy(`the unread thread ${thread_id} in the default list again`, met, 'it is missing')
  await expectMarked(t, thread.owner, thread_id)
}

/** True when the default list contains a thread, which need not be served any more, as unread; `find` depends on the expected result. */
export async function isUnreadInInbox(
  t: CheckContext,
  owner: Caller,
  thread_id: string,
  find: typeof findListed = findListed,
): Promise<boolean> {
  const thread = (await unlessUntested(currentThread(t, owner, thread_id)))?.value ?? { id: thread_id }
  return (await find(t, new Listing(t, inboxOf(owner)), thread, {}))?.value.unread === true
}

/** `last_read_at` is the time of the last reading, so that neither marking nor a notification sets it back (readings D28). */
export async function expectReadLater(t: CheckContext, owner: Caller, thread_id: string): Promise<void> {
  const { before, after } = await expectMarked(t, owner, thread_id)
  const thread = { owner, thread_id, from: 'unread-thread' } as const
  const renewed = await unlessUntested(notified(t, thread, () => t.ask('new-notification', { thread_id })))
  const states = [before, after, ...(renewed ? [renewed] : [])]
  const instants = states.map(({ value }) => instantOf(value.last_read_at))
  if (instants.some(Number.isNaN)) return t.untested('last_read_at is not a timestamp both before and after the marking')
  const isLater = instants.every((instant, index) => instant >= Math.max(...instants.slice(0, index)))
  const actual = states.map(({ value }) => String(value.last_read_at)).join(', then ')
  t.expect(after.exchange, before.exchange).satisfy('a last_read_at that never moves back', isLater, actual)
}

/** Only a later notification replaces a reason: reading the thread keeps it, and its subscription. */
export async function expectReasonKept(t: CheckContext, owner: Caller, thread_id: string): Promise<void> {
  const wasIgnored = await unlessUntested(ignored(t, owner, thread_id).then(() => true))
  const { before, after } = await expectMarked(t, owner, thread_id)
  if (wasIgnored) await expectStillIgnored(t, owner, thread_id, after.exchange)
  const { reason, updated_at } = before.value
  const kept = after.value.reason === reason
  if (!kept && after.value.updated_at !== updated_at) t.untested('the thread was updated meanwhile', 'unread-thread')
  t.expect(after.exchange, before.exchange).satisfy(`the reason ${String(reason)} as before`, kept, String(after.value.reason))
}

/** Marking a read thread again is answered 205, or 304 if there is no change, and keeps it read (readings B12). */
export async function expectStaysRead(t: CheckContext, owner: Caller, thread_id: string): Promise<void> {
  await unreadThread(t, owner, thread_id)
  await t.send(aboutThread(endpoints.markThreadRead, thread_id, owner))
  const again = await t.send(aboutThread(endpoints.markThreadRead, thread_id, owner), { tapped: true })
  t.expect(again).status(205, 304).noBody()
  await expectRead(t, owner, again, thread_id)
}
