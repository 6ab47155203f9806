import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { type ListAddress, Listing, type Query, type Walk } from '../../../src/suite/listing.ts'
import type { JsonObject, Located } from '../../../src/suite/located.ts'
import { need, role } from '../../../src/suite/needs.ts'
import { clearDistance } from '../../../src/suite/observe.ts'
import { asWritten } from '../../common/paging.ts'
import { apart } from '../../common/polls.ts'
import { endsBeyond, lasting, untilAllSeen } from './listed-threads.ts'
import { currentThread, instantOf, objectsAmong, type Thread, timestamp } from './threads.ts'

/** Instants in milliseconds. */
type Period = { readonly since?: number; readonly before?: number }

/** Chooses a period by the instants of three threads, so that it contains the second one alone or with threads beyond. */
export type Choice = (first: number, second: number, third: number) => Period

/** Close to the second thread, which a boundary that is moved loses. */
export const between: Choice = (first, second, third) => ({
  since: beside(second, first),
  before: beside(second, third),
})

/** Close to the thread outside, which a boundary that is moved the other way includes. */
export const sinceAlone: Choice = (first, second) => ({ since: beside(first, second) })
export const beforeAlone: Choice = (_, second, third) => ({ before: beside(third, second) })

/** A period with threads of more reasons. Milliseconds. */
export const around60Days: Choice = (first, _, third) => ({
  since: first - 30 * day,
  before: third + 30 * day,
})
const day = 24 * 60 * 60 * 1000

export const filterNeeds = { owner: role('owner'), threads: need('filter-threads') }

/** Threads nearer to a boundary are not judged: it is open whether the boundary is included. Milliseconds. */
const margin = 1000

/** The list of the owner that contains a thread. */
export interface ListAround {
  readonly around: (thread: JsonObject, owner: Caller) => ListAddress
}

/** A list that is filtered by a period between the threads of the need `filter-threads`. */
interface Filtered extends ListAround {
  readonly owner: Caller
  readonly ids: readonly string[]
  readonly choose: Choice
  /** Other parameters of the request. */
  readonly beside: Query
  /** The threads that such a request lists, wherever they are in time, and their name. */
  readonly listed: (thread: JsonObject) => boolean
  readonly kind?: string
}

/**
 * A list contains exactly the threads inside the period (readings D5). Of a list that is longer than a walk, only the threads of
 * the need are known to be in it: they are read alone (readings G14).
 */
export async function expectPeriod(t: CheckContext, filtered: Filtered) {
  const { owner, ids, around, choose, beside, listed, kind = 'thread' } = filtered
  const alone = (at: CheckContext) =>
    Promise.all(ids.map((id) => currentThread(at, owner, id, 'filter-threads')))
  // Any instants between the threads will do, so all checks of periods share them.
  const threads = await t.shared(`filter threads ${ids.join()}`, alone)
  const usual = around(threads[0]?.value ?? {}, owner)
  const list = new Listing(t, usual)
  // No scope of the user's token changes a filter.
  const bounded = new Listing(t, await apart(t, usual, ['repo']))
  const known = async (fresh: boolean) => {
    const { items, cut } = await list.walk({ fresh, query: beside })
    return cut ? alone(t) : objectsAmong(items)
  }
  const { instants, thread } = neighbours(t, threads, listed)
  const period = choose(...instants)
  const inside = (candidates: readonly Thread[]) =>
    candidates.filter(({ value }) => listed(value) && place(value, period) === 'inside')
  const shared = await known(false)
  // The shared pages may be older than the threads.
  const before = inside(shared)[0] ? shared : await known(true)
  const wanted = inside(before)
  const wantedIds = wanted.map(({ value }) => String(value.id))
  const isOutside = ({ value }: Thread) => place(value, period) === 'outside'
  const seen: Located[] = []
  let shown: Walk | undefined
  // Pages may leave a gap when their list moves: a thread is missing if no walk contains it.
  const wrong = await lasting(t, 'the threads of the period', async () => {
    shown = await bounded.walk({
      fresh: true,
      query: { ...beside, ...queryOf(period) },
      enough: untilAllSeen(wantedIds),
    })
    seen.push(...shown.items)
    return [...objectsAmong(shown.items).filter(isOutside), ...missingFrom(seen, wanted)]
  })
  const expected = `only and all threads that match ${asWritten(queryOf(period))}`
  const stated = ({ value }: Thread) => `thread ${value.id}, updated ${value.updated_at}`
  if (wrong && isOutside(wrong))
    t.deviation({
      expected,
      actual: `the ${stated(wrong)}`,
      pointer: wrong.pointer,
      exchanges: [wrong.exchange],
    })
  const { id, reason, unread } = thread.value
  if (wanted.length === 0)
    t.untested(
      `the list contains no ${kind} with ${asWritten(queryOf(period))}; the thread ${id} between them has the reason ${reason} and unread: ${unread}`,
      'filter-threads',
    )
  if (wrong && shown?.cut) endsBeyond(t)
  const after = wrong ? await known(true) : []
  const later = new Map(after.map(({ value }) => [value.id, value.updated_at]))
  // A thread that moved in between is no evidence.
  const unmoved = wanted.filter(({ value }) => later.get(value.id) === value.updated_at)
  const [missing] = missingFrom(seen, unmoved)
  if (missing)
    t.deviation({
      expected,
      actual: `no ${stated(missing)}`,
      exchanges: [missing.exchange, ...(shown?.end ?? []), ...(shown?.pages ?? [])],
    })
  t.examined(wanted.length)
}

/** Three neighbours among the threads, which were updated on one day: their instants, and the second one, which is `listed` if possible. */
function neighbours(t: CheckContext, threads: readonly Thread[], listed: Filtered['listed']) {
  const instant = ({ value }: Thread) => instantOf(value.updated_at)
  const sorted = threads.toSorted((a, b) => instant(a) - instant(b))
  const threes = sorted.slice(1, -1).flatMap((thread, index) => {
    const [first = Number.NaN, second = Number.NaN, third = Number.NaN] = sorted
      .slice(index, index + 3)
      .map(instant)
    const apart = Math.min(second - first, third - second) >= clearDistance
    return apart ? [{ instants: [first, second, third] as const, thread }] : []
  })
  const chosen = threes.find(({ thread }) => listed(thread.value)) ?? threes[0]
  return (
    chosen ??
    t.untested(
      `no three of the threads were updated at least ${clearDistance / 1000} s apart`,
      'filter-threads',
    )
  )
}

/** A whole second between two instants: a minute from the first one, if that is nearer to it than to the other. */
export function beside(a: number, b: number) {
  const half = Math.min(Math.abs(b - a) / 2, 60e3)
  return Math.floor((a + Math.sign(b - a) * half) / 1000) * 1000
}

function queryOf(period: Period) {
  return Object.fromEntries(
    Object.entries(period).map(([name, instant]) => [name, timestamp(instant)]),
  )
}

/** The wanted threads that are not among the seen ones. */
function missingFrom(seen: readonly Located[], wanted: readonly Thread[]) {
  const ids = new Set(objectsAmong(seen).map(({ value }) => value.id))
  return wanted.filter(({ value }) => !ids.has(value.id))
}

function place(
  thread: JsonObject,
  { since = Number.NEGATIVE_INFINITY, before = Number.POSITIVE_INFINITY }: Period,
) {
  const instant = instantOf(thread.updated_at)
  const distance = Math.min(instant - since, before - instant)
  if (distance < -margin) return 'outside'
  return distance > margin ? 'inside' : 'boundary'
}
