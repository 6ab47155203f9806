import { anonymous } from '../../src/http/exchange/caller.ts'
import { endpointLabel, pathMatches } from '../../src/spec/endpoints.ts'
import { type Check, check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { isObject, itemsOf, type JsonObject, type Located } from '../../src/suite/located.ts'
import { type Needing, type NeedMap, need, optional, type Resolved } from '../../src/suite/needs.ts'
import { endsAlike } from '../common/paging.ts'
import { type Feed, type FeedAddress, latest, openAt, seenEvents } from './feed.ts'
import { eventId } from './known-events.ts'

/** The limits of a timeline (document: Feed window; Limits). */
const cap = 300
const day = 24 * 60 * 60 * 1000
const window = 30 * day
/** A day more, since the text says nothing of how often old events are removed (readings C17). */
const windowWithSlack = 31 * day

/** A feed that is known to hold more than the cap, for a feed that may not. */
export interface BusyFeed<Needs extends NeedMap, Given> {
  readonly need: Needing<Given>
  readonly at: (busy: Given, needs: Resolved<Needs>) => FeedAddress
}

/** The age of every event seen, and the size of the whole timeline. */
export function feedWindowChecks<const Needs extends NeedMap, Given>(feed: Feed<Needs>, busy?: BusyFeed<Needs, Given>): Check[] {
  const older = (aspect: string, level: 'must' | 'should', limit: number) =>
    check({
      id: `${feed.id}.${aspect}`,
      requirement: 'events.window.age',
      level,
      title: `omits events older than ${limit / day} days`,
      needs: feed.needs,
      schedule: 'afterwards',
      run: async (t, needs) => noneOlder(t, await seenEvents(t, feed, needs), limit),
    })
  return [
    older('age', 'must', windowWithSlack),
    older('age-exact', 'should', window),
    busy
      ? busyCapCheck(feed, busy)
      : check({ ...capOf(feed), run: async (t, needs) => capped(t, feed, feed.at(needs), undefined) }),
  ]
}

/** The cap, judged on a busier feed of the same kind where one is given. */
function busyCapCheck<const Needs extends NeedMap, Given>(feed: Feed<Needs>, busy: BusyFeed<Needs, Given>): Check {
  return check({
    ...capOf(feed),
    also: { given: optional(busy.need) },
    // A feed that reaches the cap by itself is judged without it.
    ...(busy.need.type === 'need' ? { asks: [busy.need.name] } : {}),
    run: async (t, needs, { given }) => capped(t, feed, given ? busy.at(given, needs) : feed.at(needs), busy.need),
  })
}

function capOf<Needs extends NeedMap>({ id, needs }: Feed<Needs>) {
  return {
    id: `${id}.cap`,
    requirement: 'events.window.size',
    level: 'must',
    title: `limits the feed to ${cap} events over all its pages`,
    needs,
  } as const
}

/** Old events that exist are hidden, shown on a feed below the cap. Not for the feed of everything, which is always at the cap. */
export function hiddenPastCheck<const Needs extends NeedMap>(feed: Feed<Needs>): Check {
  return check({
    id: `${feed.id}.window`,
    requirement: 'events.window.age',
    level: 'must',
    title: 'omits events past the age limit from a feed below the size limit',
    needs: feed.needs,
    also: { windowed: need('windowed-feed', { feed: endpointLabel(feed.endpoint) }) },
    run: async (t, needs, { windowed }) => hidesThePast(t, feed, feed.at(needs), windowed.path),
  })
}

async function hidesThePast<Needs extends NeedMap>(
  t: CheckContext,
  feed: Feed<Needs>,
  { as }: FeedAddress,
  path: string,
): Promise<void> {
  if (!pathMatches(t.spelled(feed.endpoint.path), path)) {
    await t.missing(
      { type: 'need', name: 'windowed-feed' },
      `the need windowed-feed names ${path}, which belongs to another feed`,
    )
  }
  const { items, repeated, cut } = await openAt(t, feed, { as, path }).walk()
  if (items.length >= cap)
    t.untested(`the feed ${path} contains ${items.length} events; at the size limit its age limit cannot be observed`)
  noneOlder(
    t,
    items.filter((item): item is Located<JsonObject> => isObject(item.value)),
    windowWithSlack,
  )
  if (repeated || cut) t.untested(`the pages of ${path} do not end, so older events may follow`)
}

async function capped<Needs extends NeedMap>(
  t: CheckContext,
  feed: Feed<Needs>,
  address: FeedAddress,
  wanted: NeedMap[string] | undefined,
): Promise<void> {
  const { items, pages } = await openAt(t, feed, address).walk()
  const begun = Date.parse(pages[0]?.header('date') ?? '')
  const head = Number.isFinite(begun) ? begun : newest(items.map(({ value }) => value))
  const counted = new Set(
    items.filter(({ value }) => created(value) <= head).map(({ value }) => JSON.stringify((value as JsonObject).id)),
  )
  if (counted.size > cap) {
    t.deviation({ expected: `at most ${cap} events`, actual: `${counted.size} events`, exchanges: pages })
  }
  if (counted.size === cap) return endsThere(t, feed, address, new Set(items.map(({ value }) => eventId(value))))
  await endsAlike(t, openAt(t, feed, address))
  const reason = `the feed contains ${counted.size} events; the limit of ${cap} can be observed only on a feed that reaches it`
  if (wanted) await t.missing(wanted, reason)
  t.untested(reason)
}

/** Whatever the size of a page, and whoever reads it, no event follows the last one of the cap. */
async function endsThere<Needs extends NeedMap>(
  t: CheckContext,
  feed: Feed<Needs>,
  address: FeedAddress,
  known: ReadonlySet<string>,
): Promise<void> {
  const { default: usual, max } = feed.endpoint.paging
  const beyond = (size: number) => cap / size + 1
  const own = openAt(t, feed, address)
  const requests = [own.request({ page: beyond(usual) }), own.request({ per_page: 10, page: beyond(10) })]
  const others = openAt(t, feed, address, anonymous).request({ per_page: max, page: beyond(max) })
  for (const request of feed.ownerOnly ? requests : [...requests, others]) {
    const page = await t.send(request)
    // A page of the first events again is no page past the end, which other checks judge.
    const further = page.status === 200 && itemsOf(page).every(({ value }) => !known.has(eventId(value)))
    const count = further ? itemsOf(page).length : 0
    const expected = `no event on page ${String(request.query?.page)}, since ${cap} precede it`
    if (count > 0) t.deviation({ expected, actual: `${count} events`, exchanges: [page] })
  }
  t.examined(cap)
}

/** Ages are measured by the target's own clock, or by its newest event where it does not tell the time (readings G10). */
function noneOlder(t: CheckContext, events: readonly Located<JsonObject>[], limit: number): void {
  const latest = newest(events.map(({ value }) => value))
  const dated = events.filter(({ value }) => Number.isFinite(created(value)))
  const ages = dated.map((event) => ({ ...event, value: now(event, latest) - created(event.value) }))
  t.expectAll(ages, 'dated event').satisfy(
    `an age of at most ${limit / day} days`,
    // An event of tomorrow was not created in the past; a day is left for clocks that differ.
    (age) => age <= limit && age > -day,
    (age) => `${(age / day).toFixed(1)} days`,
  )
}

function now(event: Located, latest: number): number {
  const date = Date.parse(event.exchange.header('date') ?? '')
  return Number.isFinite(date) ? date : latest
}

function newest(events: readonly unknown[]): number {
  return latest(events.map(created).filter(Number.isFinite))
}

function created(event: unknown): number {
  return isObject(event) ? Date.parse(String(event.created_at)) : Number.NaN
}
