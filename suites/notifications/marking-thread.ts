import type { Caller } from '../../src/http/caller.ts'
import type { Exchange } from '../../src/http/exchange.ts'
import type { Endpoint } from '../../src/spec/endpoint.ts'
import { endpoints } from '../../src/spec/endpoints.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { Listing, type Query } from '../../src/suite/listing.ts'
import type { JsonObject, Located } from '../../src/suite/located.ts'
import { aboutThread, currentThread, everything, inboxOf, objectsAmong, soon, unreadThread } from './threads.ts'

/** The thread of a request that was sent becomes read. */
export async function showsAsRead(t: CheckContext, owner: Caller, answer: Exchange, thread_id: string): Promise<void> {
  const read = await soon(t, 'the thread to be read', async () => {
    const thread = await currentThread(t, owner, thread_id)
    return thread.value.unread === false ? thread : undefined
  })
  if (!read) t.deviation({ expected: `unread: false for thread ${thread_id}`, actual: 'it stays unread', exchanges: [answer] })
  t.examined(1)
}

/** The thread stands unread in the default list before the request, and afterwards does not; with all=true it is `kept` as read. */
export async function leavesInbox(
  t: CheckContext,
  owner: Caller,
  endpoint: Endpoint,
  thread_id: string,
  { kept }: { kept: boolean },
): Promise<void> {
  const listed = await isUnreadInInbox(t, owner, thread_id)
  if (!listed) t.untested(`the inbox does not list thread ${thread_id} as unread`, 'unread-thread')
  const answer = await t.send(aboutThread(endpoint, thread_id, owner))
  const gone = await soon(t, 'the thread to leave the default list', async () => {
    const found = await inInbox(t, owner, thread_id, {})
    return found === undefined || (!kept && found.value.unread !== true) ? true : undefined
  })
  if (!gone)
    t.deviation({
      expected: `no thread ${thread_id} in the default list`,
      actual: 'the thread is still listed',
      exchanges: [answer],
    })
  const read = kept ? (await inInbox(t, owner, thread_id, everything))?.value.unread === false : true
  if (!read)
    t.deviation({
      expected: `thread ${thread_id} with all=true as read`,
      actual: 'the thread is missing or unread',
      exchanges: [answer],
    })
  t.examined(1)
}

/** True when the default list holds a thread as unread. */
export async function isUnreadInInbox(t: CheckContext, owner: Caller, thread_id: string): Promise<boolean> {
  return (await inInbox(t, owner, thread_id, {}))?.value.unread === true
}

async function inInbox(
  t: CheckContext,
  owner: Caller,
  thread_id: string,
  query: Query,
): Promise<Located<JsonObject> | undefined> {
  const { items } = await new Listing(t, inboxOf(owner)).walk({ fresh: true, query })
  return objectsAmong(items).find(({ value }) => String(value.id) === thread_id)
}

/** How many threads that left the list are looked at; a page boundary that moved may hide some that are still unread. */
const looked = 5

/** Marking one thread makes no other read that was not updated meanwhile. */
export async function othersUntouched(t: CheckContext, owner: Caller, endpoint: Endpoint, thread_id: string): Promise<void> {
  await unreadThread(t, owner, thread_id)
  const list = new Listing(t, inboxOf(owner))
  const before = await list.walk({ fresh: true })
  const answer = await t.send(aboutThread(endpoint, thread_id, owner))
  const after = new Set((await list.walk({ fresh: true })).ids)
  const others = before.ids.filter((id) => id !== JSON.stringify(thread_id))
  for (const id of others.filter((other) => !after.has(other)).slice(0, looked)) {
    const { value, exchange } = await currentThread(t, owner, String(JSON.parse(id)))
    const expected = 'every other unread thread still unread'
    if (value.unread === false) t.deviation({ expected, actual: `thread ${id} is read`, exchanges: [answer, exchange] })
    const again = value.unread === true && (await list.walk({ fresh: true }))
    const actual = `thread ${id} is unread when it is read alone, but missing from the list`
    if (again && !again.ids.includes(id)) t.deviation({ expected, actual, exchanges: [answer, exchange, ...again.pages] })
  }
  t.examined(others.length)
}

/** Marking a read thread again is answered 205, or 304 where nothing was to change, and leaves it read (readings B12). */
export async function staysRead(t: CheckContext, owner: Caller, thread_id: string): Promise<void> {
  await unreadThread(t, owner, thread_id)
  await t.send(aboutThread(endpoints.markThreadRead, thread_id, owner))
  const again = await t.send(aboutThread(endpoints.markThreadRead, thread_id, owner))
  t.expect(again).status(205, 304)
  await showsAsRead(t, owner, again, thread_id)
}
