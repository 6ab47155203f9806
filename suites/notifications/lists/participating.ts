import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { Listing, type Query } from '../../../src/suite/listing.ts'
import { isObject, type JsonObject, type Located } from '../../../src/suite/located.ts'
import type { NeedMap } from '../../../src/suite/needs.ts'
import { soon } from '../../../src/suite/observe.ts'
import { asWritten } from '../../common/paging.ts'
import { unlessUntested } from '../../common/proof.ts'
import { findListed, listedTogether } from '../common/listed-threads.ts'
import { belongsTo } from '../common/read-state.ts'
import { currentThread, everything, objectsAmong } from '../common/threads.ts'
import { repositoryOf } from './modification.ts'
import type { NotificationList } from './notification-list.ts'

type Around = NotificationList<NeedMap>['around']

/** The list omits threads that the user only watches. */
export async function expectNoneOnlyWatched(t: CheckContext, list: Listing): Promise<void> {
  const isWatched = ({ value }: Located<JsonObject>) => value.reason === 'subscribed'
  const whole = await list.walk({ query: everything })
  const watched = objectsAmong(whole.items).filter(isWatched)
  if (watched.length === 0) t.untested('the list contains no thread with reason subscribed', 'new-notification')
  const part = await list.walk({ query: { ...everything, participating: true } })
  const leak = objectsAmong(part.items).find(isWatched)
  if (leak) {
    const { value, pointer, exchange } = leak
    const actual = `the thread ${String(value.id)} with reason subscribed`
    t.deviation({ expected: 'only threads that the user participates in', actual, pointer, exchanges: [exchange] })
  }
  t.examined(watched.length)
}

/** The thread is read by itself first, since a list that leaves it out may do so under any parameter. */
export async function expectWatchedListed(t: CheckContext, list: Listing, owner: Caller): Promise<void> {
  const { thread_id } = await t.ask('new-notification', { ...repositoryOf(list), reason: 'subscribed' })
  const { value, exchange } = await currentThread(t, owner, thread_id, 'new-notification')
  const fits = value.unread === true && value.reason === 'subscribed' && belongsTo(value, list)
  if (!fits) t.untested(`the thread ${thread_id} is not an unread, merely watched thread of the list`, 'new-notification')
  await expectUnreadListed(t, owner, list, { value, exchange, pointer: '' })
}

/** A private thread is listed for its own user. */
export async function expectPrivateListed(t: CheckContext, around: Around, owner: Caller, thread_id: string): Promise<void> {
  const thread = await currentThread(t, owner, thread_id, 'new-notification')
  const { unread, repository } = thread.value
  const isPrivate = isObject(repository) && repository.private === true
  if (!isPrivate || unread !== true) t.untested(`the thread ${thread_id} is not an unread one of a private repository`)
  await expectUnreadListed(t, owner, new Listing(t, around(thread.value, owner)), thread)
}

/** The list contains the unread thread, unless another program marks it as read meanwhile. */
export async function expectUnreadListed(
  t: CheckContext,
  owner: Caller,
  list: Listing,
  { value, exchange }: Located<JsonObject>,
  query: Query = {},
): Promise<void> {
  const id = String(value.id)
  const { last: listed } = await soon(t, `thread ${id} to be listed`, () => findListed(t, list, value, query))
  if (listed) return t.examined(1)
  const { value: now, exchange: later } = await currentThread(t, owner, id, 'new-notification')
  if (now.unread !== true) t.untested(`the thread ${id} was marked as read meanwhile`)
  const expected = `the unread thread ${id} with reason ${String(value.reason)} in the list with ${asWritten(query)}`
  t.deviation({ expected, actual: 'the thread is missing', exchanges: [exchange, later] })
}

/** The reasons that clearly make a user a participant (readings D6). */
export const participation = ['author', 'mention', 'assign', 'review_requested', 'team_mention', 'comment'] as const

/** Threads that are made with each of these reasons are listed with participating=true. */
export async function expectParticipantsListed(t: CheckContext, list: Listing, owner: Caller): Promise<void> {
  const threads: Located<JsonObject>[] = []
  for (const reason of participation) {
    const candidate = await unlessUntested(t.ask('new-notification', { ...repositoryOf(list), reason }))
    const thread = candidate && (await currentThread(t, owner, candidate.thread_id, 'new-notification'))
    if (thread?.value.reason === reason && thread.value.unread === true && belongsTo(thread.value, list)) threads.push(thread)
  }
  if (threads.length === 0) t.untested('no unread thread with such a reason could be made', 'new-notification')
  const query = { participating: true }
  const together = await listedTogether(list, threads, query)
  for (const thread of threads) {
    if (together.has(String(thread.value.id))) t.examined(1)
    else await expectUnreadListed(t, owner, list, thread, query)
  }
}
