import type { Caller } from '../../src/http/caller.ts'
import { type Check, check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { Listing, type Query, type Walk } from '../../src/suite/listing.ts'
import type { JsonObject, Located } from '../../src/suite/located.ts'
import { type NeedMap, need, type Resolved, role } from '../../src/suite/needs.ts'
import { arrival } from './arrivals.ts'
import type { NotificationList } from './every-list.ts'
import { repositoryOf } from './modification.ts'
import { belongsTo, withinEverything } from './read-state.ts'
import { currentThread, everything, instantOf, objectsAmong, soon, timestamp } from './threads.ts'

/** `since`, `before` and `participating` (document: Endpoints, Notifications; readings D5, D6). */
export function filterChecks<const Needs extends NeedMap>(list: NotificationList<Needs>): Check[] {
  const { id, needs } = list
  const open = (t: CheckContext, resolved: Resolved<Needs>) => new Listing(t, list.at(resolved))
  const period = (
    aspect: string,
    requirement: 'since' | 'before',
    title: string,
    choose: (earlier: number, later: number) => Period,
  ) =>
    check({
      id: `${id}.${aspect}`,
      requirement: `notifications.lists.${requirement}`,
      level: 'must',
      title,
      needs: { owner: role('owner'), threads: need('filter-threads') },
      run: async (t, { owner, threads }) => keepsPeriod(t, list, owner, threads.thread_ids, choose),
    })
  return [
    period('since', 'since', 'lists the threads updated later than since, even within the same day', (since) => ({ since })),
    period('before', 'before', 'lists the threads updated earlier than before, even within the same day', (_, before) => ({
      before,
    })),
    period('since-and-before', 'since', 'lists the threads updated between since and before', (since, before) => ({
      since,
      before,
    })),
    check({
      id: `${id}.participating`,
      requirement: 'notifications.lists.participating',
      level: 'must',
      title: 'lists no additional threads with participating=true',
      needs,
      run: async (t, resolved) => withinEverything(t, open(t, resolved), { ...everything, participating: true }, everything),
    }),
    check({
      id: `${id}.watched`,
      requirement: 'notifications.lists.defaults',
      level: 'must',
      title: 'includes merely watched threads by default',
      needs,
      also: { owner: role('owner') },
      asks: ['new-notification'],
      schedule: 'alone',
      writes: true,
      run: async (t, resolved, { owner }) => watchedIsListed(t, open(t, resolved), owner),
    }),
    check({
      id: `${id}.participating-not-watching`,
      requirement: 'notifications.lists.participating-not-watching',
      level: 'should',
      title: 'omits merely watched threads with participating=true',
      needs,
      run: async (t, resolved) => noneOnlyWatched(t, open(t, resolved)),
    }),
  ]
}

/** Instants in milliseconds. */
interface Period {
  readonly since?: number
  readonly before?: number
}

/** Threads nearer to a boundary than this are not judged: whether a boundary itself is included is not stated. Milliseconds. */
const margin = 1000

async function keepsPeriod<Needs extends NeedMap>(
  t: CheckContext,
  list: NotificationList<Needs>,
  owner: Caller,
  ids: readonly string[],
  choose: (earlier: number, later: number) => Period,
): Promise<void> {
  const { value: first } = await currentThread(t, owner, ids[0] ?? '', 'filter-threads')
  const listing = new Listing(t, list.around(first, owner))
  const before = await listing.walk({ query: everything })
  const period = choose(...boundaries(t, before, ids))
  const shown = await listing.walk({ fresh: true, query: { ...everything, ...queryOf(period) } })
  nothingOutside(t, shown, period)
  const inside = (threads: readonly Located<JsonObject>[]) => threads.filter(({ value }) => place(value, period) === 'inside')
  const wanted = inside(objectsAmong(before.items))
  if (missingFrom(shown, wanted)) {
    const after = await listing.walk({ fresh: true, query: everything })
    nothingMissing(t, shown, inside(unmoved(before, after)), period)
  }
  t.examined(wanted.length)
}

/** Two instants strictly between the first three of the threads, which were updated on one day. */
function boundaries(t: CheckContext, walk: Walk, ids: readonly string[]): [earlier: number, later: number] {
  const instants = objectsAmong(walk.items)
    .filter(({ value }) => ids.includes(String(value.id)))
    .map(({ value }) => instantOf(value.updated_at))
    .sort((a, b) => a - b)
  const [first = Number.NaN, second = Number.NaN, third = Number.NaN] = instants
  const apart = second - first >= 4 * margin && third - second >= 4 * margin
  if (!apart) t.untested('the list does not contain three of the threads with updates at least 4 s apart', 'filter-threads')
  return [middle(first, second), middle(second, third)]
}

/** Between two instants, at a whole second. */
export function middle(a: number, b: number): number {
  return Math.floor((a + b) / 2000) * 1000
}

function queryOf({ since, before }: Period): Query {
  return {
    ...(since === undefined ? {} : { since: timestamp(since) }),
    ...(before === undefined ? {} : { before: timestamp(before) }),
  }
}

/** The threads that stand in both walks with the same instant: what moved in between is no evidence. */
function unmoved(before: Walk, after: Walk): Located<JsonObject>[] {
  const later = new Map(objectsAmong(after.items).map(({ value }) => [value.id, value.updated_at]))
  return objectsAmong(before.items).filter(({ value }) => later.get(value.id) === value.updated_at)
}

function nothingOutside(t: CheckContext, shown: Walk, period: Period): void {
  const outside = objectsAmong(shown.items).find(({ value }) => place(value, period) === 'outside')
  if (!outside) return
  const expected = `the threads updated ${describe(period)}`
  const actual = `the thread ${String(outside.value.id)}, updated ${String(outside.value.updated_at)}`
  t.deviation({ expected, actual, pointer: outside.pointer, exchanges: [outside.exchange] })
}

function missingFrom(shown: Walk, wanted: readonly Located<JsonObject>[]): Located<JsonObject> | undefined {
  return wanted.find(({ value }) => !shown.ids.includes(JSON.stringify(value.id)))
}

function nothingMissing(t: CheckContext, shown: Walk, wanted: readonly Located<JsonObject>[], period: Period): void {
  const missing = missingFrom(shown, wanted)
  if (!missing) return
  const expected = `the threads updated ${describe(period)}`
  const actual = `no thread ${String(missing.value.id)}, updated ${String(missing.value.updated_at)}`
  t.deviation({ expected, actual, exchanges: [missing.exchange, ...shown.pages] })
}

function place(thread: JsonObject, { since, before }: Period): 'inside' | 'outside' | 'boundary' {
  const instant = instantOf(thread.updated_at)
  const from = since === undefined ? Number.POSITIVE_INFINITY : instant - since
  const to = before === undefined ? Number.POSITIVE_INFINITY : before - instant
  const distance = Math.min(from, to)
  if (distance < -margin) return 'outside'
  return distance > margin ? 'inside' : 'boundary'
}

function describe({ since, before }: Period): string {
  const from = since === undefined ? '' : `after ${timestamp(since)}`
  const to = before === undefined ? '' : `before ${timestamp(before)}`
  return [from, to].filter((part) => part !== '').join(' and ')
}

async function noneOnlyWatched(t: CheckContext, list: Listing): Promise<void> {
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
async function watchedIsListed(t: CheckContext, list: Listing, owner: Caller): Promise<void> {
  const { thread_id } = await t.ask('new-notification', { ...repositoryOf(list), reason: 'subscribed' })
  const { value, exchange } = await arrival(t, owner, thread_id)
  const fits = value.unread === true && value.reason === 'subscribed' && belongsTo(value, list)
  if (!fits) t.untested(`the thread ${thread_id} is not an unread, merely watched thread of the list`, 'new-notification')
  const listed = await soon(t, `thread ${thread_id} to be listed`, async () => {
    const { items } = await list.walk({ fresh: true })
    return objectsAmong(items).some((item) => String(item.value.id) === thread_id) ? true : undefined
  })
  const expected = `the unread thread ${thread_id} in the list`
  if (!listed) t.deviation({ expected, actual: 'the thread is missing', exchanges: [exchange] })
  t.examined(1)
}
