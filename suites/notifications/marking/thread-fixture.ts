import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { type Endpoint, endpoints } from '../../../src/spec/endpoints.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { type ListAddress, Listing, type Query } from '../../../src/suite/listing.ts'
import type { JsonObject, Located } from '../../../src/suite/located.ts'
import { soon, stays } from '../../../src/suite/observe.ts'
import type { Effect } from '../../common/access.ts'
import { unlessUntested } from '../../common/proof.ts'
import { type Awaited, isUnread, notified } from '../common/arrivals.ts'
import { bounds, findLeft, findListed, wholeWalk } from '../common/listed-threads.ts'
import { aboutThread, currentThread, everything, inboxOf, instantOf, objectsAmong, unreadThread } from '../common/threads.ts'

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

/** The request that marks a thread, and its visible effect. */
interface Marking {
  readonly endpoint: Endpoint
  readonly effect: (t: CheckContext, owner: Caller, thread_id: string, find?: typeof findListed) => Promise<Effect>
}

/** A thread stays marked as long as it is not updated: it is read again after two seconds and the marking of another thread. */
export async function expectStayMarked(t: CheckContext, owner: Caller, thread_id: string, { endpoint, effect }: Marking) {
  const { value: before } = await unreadThread(t, owner, thread_id)
  const answer = await t.send(aboutThread(endpoint, thread_id, owner))
  const isMarked = async () => !(await effect(t, owner, thread_id, findLeft)).visible
  const { met } = await soon(t, 'the thread to be marked', isMarked, Boolean)
  if (!met) t.untested(`thread ${thread_id} stays unread (${answer.status})`)
  const other = await unlessUntested(t.ask('unread-thread', {}))
  if (other) await t.send(aboutThread(endpoints.markThreadRead, other.thread_id, owner))
  if ((await stays(t, 'the thread to be marked still', isMarked, Boolean)).met) return t.examined(1)
  const { value, exchange } = await currentThread(t, owner, thread_id)
  if (value.updated_at !== before.updated_at) t.untested(`thread ${thread_id} was updated in the meantime`)
  const actual = 'it was marked at first and is unread again'
  t.deviation({ expected: `thread ${thread_id} still marked`, actual, exchanges: [answer, exchange] })
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

/** `last_read_at` is the time of the last reading, so that marking does not set it back (readings D28). */
export async function expectReadLater(t: CheckContext, owner: Caller, thread_id: string): Promise<void> {
  const { before, after } = await expectMarked(t, owner, thread_id)
  const [earlier = Number.NaN, later = Number.NaN] = [before, after].map(({ value }) => instantOf(value.last_read_at))
  if (Number.isNaN(earlier + later)) return t.untested('last_read_at is not a timestamp both before and after the marking')
  const expected = `last_read_at ${String(before.value.last_read_at)} or later`
  t.expect(after.exchange, before.exchange).satisfy(expected, later >= earlier, String(after.value.last_read_at))
}

/** Only a later notification replaces a reason: reading the thread keeps it. */
export async function expectReasonKept(t: CheckContext, owner: Caller, thread_id: string): Promise<void> {
  const { before, after } = await expectMarked(t, owner, thread_id)
  const { reason, updated_at } = before.value
  const kept = after.value.reason === reason
  if (!kept && after.value.updated_at !== updated_at) t.untested('the thread was updated meanwhile', 'unread-thread')
  t.expect(after.exchange, before.exchange).satisfy(`the reason ${String(reason)} as before`, kept, String(after.value.reason))
}

/** The number of threads that left the list and are read alone; a page boundary that moved may hide some that are still unread. */
const sample = 5

/** Marking one thread makes no other thread read, unless that one was updated meanwhile. */
export async function expectOthersUntouched(
  t: CheckContext,
  owner: Caller,
  endpoint: Endpoint,
  thread_id: string,
): Promise<void> {
  const { value: marked } = await unreadThread(t, owner, thread_id)
  const list = new Listing(t, inboxOf(owner))
  const query = await bounds(t, list, {})
  const walk = () => wholeWalk(t, list, query)
  const before = await walk()
  const answer = await t.send(aboutThread(endpoint, thread_id, owner))
  const { ids, items } = await walk()
  const after = new Set(ids)
  const others = before.ids.filter((id) => id !== JSON.stringify(thread_id))
  for (const id of others.filter((other) => !after.has(other)).slice(0, sample)) {
    const { value, exchange } = await currentThread(t, owner, String(JSON.parse(id)))
    const expected = 'every other unread thread still unread'
    if (value.unread === false) t.deviation({ expected, actual: `thread ${id} is read`, exchanges: [answer, exchange] })
    if (value.unread !== true) continue
    const { last, met } = await soon(t, `thread ${id} to be listed`, walk, (again) => again.ids.includes(id))
    const actual = `thread ${id} is unread when it is read alone, but missing from the list`
    if (!met) t.deviation({ expected, actual, exchanges: [answer, exchange, ...last.pages] })
  }
  const isMarked = ({ value }: Located<JsonObject>) => value.unread === true && String(value.id) === thread_id
  if (objectsAmong(items).some(isMarked)) await requireLeft(t, list, marked)
  t.examined(others.length)
}

/** The control: the marked thread leaves the default list. */
async function requireLeft(t: CheckContext, list: Listing, thread: JsonObject): Promise<void> {
  const { met } = await soon(
    t,
    'the thread to leave the default list',
    () => findLeft(t, list, thread, {}),
    (found) => found?.value.unread !== true,
  )
  if (!met) t.untested(`thread ${String(thread.id)} stays unread, so the request had no effect at all`)
}

/** Marking a read thread again is answered 205, or 304 if there is no change, and keeps it read (readings B12). */
export async function expectStaysRead(t: CheckContext, owner: Caller, thread_id: string): Promise<void> {
  await unreadThread(t, owner, thread_id)
  await t.send(aboutThread(endpoints.markThreadRead, thread_id, owner))
  const again = await t.send(aboutThread(endpoints.markThreadRead, thread_id, owner))
  t.expect(again).status(205, 304)
  await expectRead(t, owner, again, thread_id)
}
