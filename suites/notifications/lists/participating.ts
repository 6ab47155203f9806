import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { Listing } from '../../../src/suite/listing.ts'
import { isObject, type JsonObject, type Located } from '../../../src/suite/located.ts'
import type { NeedMap } from '../../../src/suite/needs.ts'
import { unlessUntested } from '../../common/proof.ts'
import { arrival } from '../common/arrivals.ts'
import { findListed, listedTogether } from '../common/listed-threads.ts'
import { belongsTo } from '../common/read-state.ts'
import { currentThread, everything, objectsAmong, soon } from '../common/threads.ts'
import type { NotificationList } from './every-list.ts'
import { repositoryOf } from './modification.ts'

/** Threads that the user only watches are left out. */
export async function noneOnlyWatched(t: CheckContext, list: Listing): Promise<void> {
  const isWatched = ({ value }: Located<JsonObject>) => value.reason === 'subscribed'
  const whole = await list.walk({ query: everything })
  const watched = objectsAmong(whole.items).filter(isWatched)
  if (watched.length === 0) t.untested('the list contains no thread with reason subscribed', 'new-notification')
  const part = await list.walk({ query: { ...everything, participating: true } })
  const found = objectsAmong(part.items).find(isWatched)
  if (found) {
    const actual = `the thread ${String(found.value.id)} with reason subscribed`
    t.deviation({
      expected: 'only threads that the user participates in',
      actual,
      pointer: found.pointer,
      exchanges: [found.exchange],
    })
  }
  t.examined(watched.length)
}

/** The thread is shown to exist by itself, since a list that leaves it out may do so under any parameter. */
export async function watchedIsListed(t: CheckContext, list: Listing, owner: Caller): Promise<void> {
  const { thread_id } = await t.ask('new-notification', { ...repositoryOf(list), reason: 'subscribed' })
  const { value, exchange } = await arrival(t, owner, thread_id)
  const fits = value.unread === true && value.reason === 'subscribed' && belongsTo(value, list)
  if (!fits) t.untested(`the thread ${thread_id} is not an unread, merely watched thread of the list`, 'new-notification')
  const listed = await soon(t, `thread ${thread_id} to be listed`, () => findListed(t, list, value, {}))
  const expected = `the unread thread ${thread_id} in the list`
  if (!listed) await missing(t, owner, thread_id, { expected, exchange })
  t.examined(1)
}

/** What is private is no secret to its own user. */
export async function privateIsListed(
  t: CheckContext,
  around: NotificationList<NeedMap>['around'],
  owner: Caller,
  thread_id: string,
): Promise<void> {
  const { value, exchange } = await arrival(t, owner, thread_id)
  const isPrivate = isObject(value.repository) && value.repository.private === true
  if (!isPrivate || value.unread !== true) t.untested(`the thread ${thread_id} is not an unread one of a private repository`)
  const list = new Listing(t, around(value, owner))
  const listed = await soon(t, 'the thread to be listed', () => findListed(t, list, value, {}))
  const expected = `the unread thread ${thread_id} in the list`
  if (!listed) await missing(t, owner, thread_id, { expected, exchange })
  t.examined(1)
}

/** A thread that is unread still should have been listed; one that somebody else marked meanwhile need not. */
async function missing(t: CheckContext, owner: Caller, thread_id: string, found: { expected: string; exchange: Exchange }) {
  const { value, exchange } = await currentThread(t, owner, thread_id, 'new-notification')
  if (value.unread !== true) t.untested(`the thread ${thread_id} was marked as read meanwhile`)
  t.deviation({ expected: found.expected, actual: 'the thread is missing', exchanges: [found.exchange, exchange] })
}

/** The reasons that make somebody a participant beyond doubt (readings D6). */
export const participation = ['author', 'mention', 'assign', 'review_requested', 'team_mention', 'comment'] as const

/** Threads that are made with each of these reasons are listed with participating=true. */
export async function participantsAreListed(t: CheckContext, list: Listing, owner: Caller): Promise<void> {
  const made: Located<JsonObject>[] = []
  for (const reason of participation) {
    const given = await unlessUntested(t.ask('new-notification', { ...repositoryOf(list), reason }))
    const thread = given && (await arrival(t, owner, given.thread_id))
    if (thread?.value.reason === reason && thread.value.unread === true && belongsTo(thread.value, list)) made.push(thread)
  }
  if (made.length === 0) t.untested('no unread thread with such a reason could be made', 'new-notification')
  const listed = await listedTogether(list, made, { participating: true })
  for (const thread of made) await isListedAsParticipant(t, owner, list, thread, listed)
}

async function isListedAsParticipant(
  t: CheckContext,
  owner: Caller,
  list: Listing,
  { value, exchange }: Located<JsonObject>,
  listed: ReadonlySet<string>,
) {
  const isThere = async () => listed.has(String(value.id)) || findListed(t, list, value, { participating: true })
  const found = await soon(t, 'the thread to be listed', async () => (await isThere()) || undefined)
  const expected = `the thread ${String(value.id)} with reason ${String(value.reason)} in the list with participating=true`
  if (!found) await missing(t, owner, String(value.id), { expected, exchange })
  t.examined(1)
}
