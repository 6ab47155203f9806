import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { Endpoint } from '../../../src/spec/endpoints.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { type ListAddress, Listing } from '../../../src/suite/listing.ts'
import type { JsonObject, Located } from '../../../src/suite/located.ts'
import type { Effect } from '../../common/access.ts'
import { bounds, findLeft, findListed, wholeWalk } from '../common/listed-threads.ts'
import { aboutThread, currentThread, inboxOf, instantOf, lasting, objectsAmong, soon, unreadThread } from '../common/threads.ts'

/** The thread of a request that was sent becomes read. */
export async function showsAsRead(
  t: CheckContext,
  owner: Caller,
  answer: Exchange,
  thread_id: string,
): Promise<Located<JsonObject>> {
  const read = await soon(t, 'the thread to be read', async () => {
    const thread = await currentThread(t, owner, thread_id)
    return thread.value.unread === false ? thread : undefined
  })
  if (!read)
    return t.deviation({ expected: `unread: false for thread ${thread_id}`, actual: 'it stays unread', exchanges: [answer] })
  t.examined(1)
  return read
}

/** How a thread is marked, and what of that is visible. */
interface Lasting {
  readonly endpoint: Endpoint
  readonly effect: (t: CheckContext, owner: Caller, thread_id: string, find?: typeof findListed) => Promise<Effect>
}

/** What was marked stays so as long as nothing happens on the thread: it is looked at again after two seconds. */
export async function effectLasts(
  t: CheckContext,
  owner: Caller,
  thread_id: string,
  { endpoint, effect }: Lasting,
): Promise<void> {
  const { value: before } = await unreadThread(t, owner, thread_id)
  const answer = await t.send(aboutThread(endpoint, thread_id, owner))
  const marked = async () => ((await effect(t, owner, thread_id, findLeft)).visible ? undefined : true)
  if (!(await soon(t, 'the thread to be marked', marked))) t.untested(`thread ${thread_id} stays unread (${answer.status})`)
  await t.wait(lasting, 'an effect that must last')
  if (await soon(t, 'the thread to be marked still', marked)) return t.examined(1)
  const { value, exchange } = await currentThread(t, owner, thread_id)
  if (value.updated_at !== before.updated_at) t.untested(`thread ${thread_id} was updated in the meantime`)
  const actual = 'it was marked at first and is unread again'
  t.deviation({ expected: `thread ${thread_id} still marked`, actual, exchanges: [answer, exchange] })
}

/** One of the lists that a thread leaves when it is marked, and whether it stays among those listed with all=true. */
interface Leaving {
  readonly endpoint: Endpoint
  readonly kept: boolean
  readonly list: (thread: JsonObject, owner: Caller) => ListAddress
}

/** The thread stands unread in the default list before the request, and afterwards does not; with all=true it is `kept` as read. */
export async function leavesList(
  t: CheckContext,
  owner: Caller,
  thread_id: string,
  { endpoint, kept, list: address }: Leaving,
): Promise<void> {
  const { value: thread } = await currentThread(t, owner, thread_id, 'unread-thread')
  const list = new Listing(t, address(thread, owner))
  const listed = (await findListed(t, list, thread, {}))?.value.unread === true
  if (!listed) t.untested(`the list does not contain thread ${thread_id} as unread`, 'unread-thread')
  const answer = await t.send(aboutThread(endpoint, thread_id, owner))
  const gone = await soon(t, 'the thread to leave the default list', async () => {
    const found = await findLeft(t, list, thread, {})
    return found === undefined || (!kept && found.value.unread !== true) ? true : undefined
  })
  const expected = `no unread thread ${thread_id} in the default list`
  if (!gone) t.deviation({ expected, actual: 'the thread is still listed', exchanges: [answer] })
  const read = kept ? (await findListed(t, list, thread))?.value.unread === false : true
  if (!read) {
    const actual = 'the thread is missing or unread'
    t.deviation({ expected: `thread ${thread_id} with all=true as read`, actual, exchanges: [answer] })
  }
  t.examined(1)
}

/** True when the default list of the inbox holds a thread as unread; `find` says which of the two is expected. */
export async function isUnreadInInbox(
  t: CheckContext,
  owner: Caller,
  thread_id: string,
  find: typeof findListed = findListed,
): Promise<boolean> {
  const { value: thread } = await currentThread(t, owner, thread_id, 'shared-thread')
  return (await find(t, new Listing(t, inboxOf(owner)), thread, {}))?.value.unread === true
}

/** `last_read_at` says when a thread was read last, so that marking it does not set it back (readings D28). */
export async function readsLater(t: CheckContext, owner: Caller, thread_id: string): Promise<void> {
  const before = await unreadThread(t, owner, thread_id)
  const answer = await t.send(aboutThread(endpoints.markThreadRead, thread_id, owner))
  const after = await showsAsRead(t, owner, answer, thread_id)
  const [earlier, later] = [before, after].map(({ value }) => instantOf(value.last_read_at))
  if (earlier === undefined || later === undefined || Number.isNaN(earlier + later)) {
    return t.untested('last_read_at is not a timestamp both before and after the marking')
  }
  if (later < earlier) {
    const expected = `last_read_at ${String(before.value.last_read_at)} or later`
    t.deviation({ expected, actual: String(after.value.last_read_at), exchanges: [before.exchange, after.exchange] })
  }
  t.examined(1)
}

/** Only a later notification replaces a reason, so that reading the thread does not. */
export async function keepsReason(t: CheckContext, owner: Caller, thread_id: string): Promise<void> {
  const { value: before, exchange } = await unreadThread(t, owner, thread_id)
  const { status } = await t.send(aboutThread(endpoints.markThreadRead, thread_id, owner))
  const after = await soon(t, 'the thread to be read', async () => {
    const thread = await currentThread(t, owner, thread_id)
    return thread.value.unread === false ? thread : undefined
  })
  if (!after) return t.untested(`the thread was not marked as read (${status})`)
  if (after.value.reason !== before.reason) {
    if (after.value.updated_at !== before.updated_at) t.untested('the thread was updated meanwhile', 'unread-thread')
    const expected = `the reason ${String(before.reason)} as before`
    t.deviation({ expected, actual: String(after.value.reason), exchanges: [exchange, after.exchange] })
  }
  t.examined(1)
}

/** How many threads that left the list are looked at; a page boundary that moved may hide some that are still unread. */
const looked = 5

/** Marking one thread makes no other read that was not updated meanwhile. */
export async function othersUntouched(t: CheckContext, owner: Caller, endpoint: Endpoint, thread_id: string): Promise<void> {
  const { value: marked } = await unreadThread(t, owner, thread_id)
  const list = new Listing(t, inboxOf(owner))
  const query = await bounds(t, list, {})
  const walk = () => wholeWalk(t, list, query)
  const before = await walk()
  const answer = await t.send(aboutThread(endpoint, thread_id, owner))
  const { ids, items } = await walk()
  const after = new Set(ids)
  const others = before.ids.filter((id) => id !== JSON.stringify(thread_id))
  for (const id of others.filter((other) => !after.has(other)).slice(0, looked)) {
    const { value, exchange } = await currentThread(t, owner, String(JSON.parse(id)))
    const expected = 'every other unread thread still unread'
    if (value.unread === false) t.deviation({ expected, actual: `thread ${id} is read`, exchanges: [answer, exchange] })
    const again = value.unread === true && (await walk())
    const actual = `thread ${id} is unread when it is read alone, but missing from the list`
    if (again && !again.ids.includes(id)) t.deviation({ expected, actual, exchanges: [answer, exchange, ...again.pages] })
  }
  const isMarked = ({ value }: Located<JsonObject>) => value.unread === true && String(value.id) === thread_id
  if (objectsAmong(items).some(isMarked) && !(await leftUnread(t, list, marked)))
    t.untested(`thread ${thread_id} stays unread, so the request had no effect at all`)
  t.examined(others.length)
}

/** Resolves to true once the default list of the inbox no longer holds a thread as unread. */
async function leftUnread(t: CheckContext, list: Listing, thread: JsonObject): Promise<true | undefined> {
  return soon(t, 'the thread to leave the default list', async () => {
    const found = await findLeft(t, list, thread, {})
    return found?.value.unread === true ? undefined : true
  })
}

/** Marking a read thread again is answered 205, or 304 where nothing was to change, and leaves it read (readings B12). */
export async function staysRead(t: CheckContext, owner: Caller, thread_id: string): Promise<void> {
  await unreadThread(t, owner, thread_id)
  await t.send(aboutThread(endpoints.markThreadRead, thread_id, owner))
  const again = await t.send(aboutThread(endpoints.markThreadRead, thread_id, owner))
  t.expect(again).status(205, 304)
  await showsAsRead(t, owner, again, thread_id)
}
