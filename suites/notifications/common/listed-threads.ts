import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import type { Listing, Query, Walk } from '../../../src/suite/listing.ts'
import type { JsonObject } from '../../../src/suite/located.ts'
import { eventually } from '../../../src/suite/observe.ts'
import { unlessDeviating, unlessUntested } from '../../common/proof.ts'
import {
  everything,
  instantOf,
  objectsAmong,
  type Thread,
  threadsOn,
  timestamp,
} from './threads.ts'

/** Space around an instant so that `since` and `before` keep it: it is open whether they include the instant itself. Milliseconds. */
const margin = 1000

/**
 * The thread in the current list, by its id; undefined if the list does not contain it. The search begins around the thread's
 * instant: there it can be found, while only the whole list can prove it missing. For a list that is longer than a walk, the
 * period around the instant decides; if the list ignores the period, the check ends as untested (readings G14).
 */
export async function findListed(
  t: CheckContext,
  list: Listing,
  thread: JsonObject,
  query: Query = everything,
  { fresh = true, isPast = (_: Exchange): boolean => false } = {},
): Promise<Thread | undefined> {
  const found = await near(list, thread, query)
  if (found) return found
  const isIt = ({ value }: Thread) => String(value.id) === String(thread.id)
  const enough = (page: Exchange) => threadsOn(page).some(isIt) || isPast(page)
  const among = ({ items }: Walk) => objectsAmong(items).find(isIt)
  const whole = await list.walk({ fresh, query, enough })
  if (among(whole) || !whole.cut) return among(whole)
  const bounded = await list.walk({
    fresh,
    query: { ...query, ...around(instantOf(thread.updated_at)) },
    enough,
  })
  return among(bounded) ?? (bounded.cut ? endsBeyond(t) : undefined)
}

/**
 * The same for a thread that should have left the list. If the pages of an inbox are in the order of `updated_at`, the search
 * ends at the thread's instant.
 */
export function findLeft(
  t: CheckContext,
  list: Listing,
  thread: JsonObject,
  query: Query = everything,
) {
  return findListed(t, list, thread, query, { isPast: past(list, thread) })
}

/** The thread on the page around its instant, or without an instant on a short page of the newest ones. */
export async function near(list: Listing, thread: JsonObject, query: Query = everything) {
  return (await listedTogether(list, [{ value: thread }], query)).find(
    ({ value }) => String(value.id) === String(thread.id),
  )
}

/** The threads on the page around the instants of several threads. Others may be in the list as well. */
export async function listedTogether(
  list: Listing,
  threads: readonly Pick<Thread, 'value'>[],
  query: Query,
) {
  const instants = threads.map(({ value }) => instantOf(value.updated_at))
  const period = around(Math.min(...instants), Math.max(...instants)) ?? { per_page: 10 }
  return threadsOnPage(list, { ...query, ...period })
}

/** The threads on a page of the largest size, or none of a page that is not served. Other checks judge that. */
export async function threadsOnPage(list: Listing, query: Query) {
  const page = await unlessUntested(
    unlessDeviating(list.freshPage({ per_page: list.paging.max, ...query })),
  )
  return page ? threadsOn(page) : []
}

/** True for the page at which an ordered inbox has reached threads that are clearly older than this one. */
export function past(list: Listing, thread: JsonObject): (page: Exchange) => boolean {
  let last =
    list.request().endpoint === endpoints.listNotifications ? Number.POSITIVE_INFINITY : Number.NaN
  const limit = instantOf(thread.updated_at) - margin
  return (page) => {
    // NaN, after a thread out of order, compares as false.
    for (const { value } of threadsOn(page))
      last = instantOf(value.updated_at) <= last ? instantOf(value.updated_at) : Number.NaN
    return last < limit
  }
}

/** A walk ends at the page with the last of these threads that fit. */
export function untilAllSeen(
  ids: Iterable<string>,
  fits: (thread: Thread) => boolean = () => true,
) {
  const missing = new Set(ids)
  return (page: Exchange) => {
    for (const thread of threadsOn(page)) if (fits(thread)) missing.delete(String(thread.value.id))
    return missing.size === 0
  }
}

/** Repeated readings, of which the first one may be shared between checks. */
export function firstShared<Value>(read: (fresh: boolean) => Value): () => Value {
  let count = 0
  return () => read(count++ > 0)
}

/**
 * A thread that is wrong, and not updated, in each reading until the end of the patience: the index of a list may be late (readings G16).
 * Ends the check as untested if each reading has other wrong threads.
 */
export async function lasting(
  t: CheckContext,
  what: string,
  wrongIn: (fresh: boolean) => Promise<Thread[]>,
) {
  const keyOf = ({ value: { id, updated_at } }: Thread) => `${id} ${updated_at}`
  let left: ReadonlySet<string> | undefined
  const read = firstShared(async (fresh) => {
    const wrong = await wrongIn(fresh)
    const [thread, ...others] = wrong.filter((each) => left?.has(keyOf(each)) ?? true)
    left = new Set([thread, ...others].flatMap((each) => (each ? keyOf(each) : [])))
    return { thread, isRight: wrong.length === 0 }
  })
  const { last, met } = await eventually(t, what, read, ({ isRight }) => isRight)
  return met
    ? undefined
    : (last.thread ??
        t.untested(`the list has other threads in each reading (waiting for ${what})`))
}

/** A whole walk. Ends the check as untested if the list is longer than that (readings G14). */
export async function wholeWalk(
  t: CheckContext,
  list: Listing,
  query: Query,
  fresh = true,
): Promise<Walk> {
  const walk = await list.walk({ fresh, query })
  return walk.cut ? endsBeyond(t) : walk
}

/** A list of more pages is long: repeated comparisons are limited to the threads of its first pages. */
const longList = 6
const compared = 4

/** The parameters that bound a long list, so that it can be compared as a whole: the instants of its first pages (readings G14). */
export async function bounds(t: CheckContext, list: Listing, query: Query): Promise<Query> {
  const { cut, pages } = await list.walk({ query })
  if (!cut && pages.length <= longList) return {}
  const first = pages.slice(0, compared).flatMap(threadsOn)
  const oldest = Math.min(...first.map(({ value }) => instantOf(value.updated_at)))
  if (Number.isFinite(oldest)) return { since: timestamp(oldest) }
  return cut ? endsBeyond(t) : {}
}

export function around(first: number, last = first): Query | undefined {
  if (Number.isNaN(first)) return undefined
  return { since: timestamp(first - margin), before: timestamp(last + margin) }
}

/** Ends a check as untested whose list is longer than a walk. */
export function endsBeyond(t: CheckContext): never {
  return t.untested(
    'the list has more pages than a check reads, so the thread may be on a later page',
  )
}
