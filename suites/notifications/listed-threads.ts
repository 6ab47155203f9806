import type { Exchange } from '../../src/http/exchange.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import type { Listing, Query, Walk } from '../../src/suite/listing.ts'
import type { JsonObject, Located } from '../../src/suite/located.ts'
import { everything, instantOf, objectsAmong, threadsOn, timestamp } from './threads.ts'

/** Space around an instant in which `since` and `before` keep it, whatever they make of the instant itself. Milliseconds. */
const margin = 2000

/**
 * The thread with the id of the given one as a list shows it now; undefined where it is not there. A list that is longer than
 * a walk is bounded around the thread's instant; where that bounds nothing, the check ends as untested (readings G14).
 */
export async function findListed(
  t: CheckContext,
  list: Listing,
  { id, updated_at }: JsonObject,
  query: Query = everything,
): Promise<Located<JsonObject> | undefined> {
  const isIt = ({ value }: Located<JsonObject>) => String(value.id) === String(id)
  const among = ({ items }: Walk) => objectsAmong(items).find(isIt)
  const enough = (page: Exchange) => threadsOn(page).some(isIt)
  const whole = await list.walk({ fresh: true, query, enough })
  if (among(whole) || !whole.cut) return among(whole)
  const near = await list.walk({ fresh: true, query: { ...query, ...around(instantOf(updated_at)) }, enough })
  return among(near) ?? (near.cut ? endsBeyond(t) : undefined)
}

/** A whole walk. Ends the check as untested where the list is longer than that (readings G14). */
export async function wholeWalk(t: CheckContext, list: Listing, query: Query, fresh = true): Promise<Walk> {
  const walk = await list.walk({ fresh, query })
  return walk.cut ? endsBeyond(t) : walk
}

/**
 * What bounds a list so that it can be compared as a whole: nothing where a walk reaches its end, else the instants of its
 * first page (readings G14).
 */
export async function bounds(t: CheckContext, list: Listing, query: Query): Promise<Query> {
  const { cut, pages } = await list.walk({ query })
  const [first] = pages
  if (!cut || !first) return {}
  const instants = threadsOn(first).map(({ value }) => instantOf(value.updated_at))
  const oldest = Math.min(...instants)
  return Number.isFinite(oldest) ? { since: timestamp(oldest) } : endsBeyond(t)
}

function around(instant: number): Query {
  if (Number.isNaN(instant)) return {}
  return { since: timestamp(instant - margin), before: timestamp(instant + margin) }
}

/** Ends a check as untested whose list is longer than a walk. */
export function endsBeyond(t: CheckContext): never {
  return t.untested('the list is longer than the most pages that are read, so a thread may be beyond them')
}
