import { anonymous } from '../../src/http/exchange/caller.ts'
import type { Exchange } from '../../src/http/exchange/exchange.ts'
import { endpointLabel, pathMatches } from '../../src/spec/endpoints.ts'
import { isLatest } from '../../src/spec/versions.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import type { Located } from '../../src/suite/located.ts'
import { type Needing, type NeedMap, need, optional, type Resolved } from '../../src/suite/needs.ts'
import { expectSameEnd } from '../common/list-end.ts'
import { unlessUntested } from '../common/proof.ts'
import { createdAt, type Feed, type FeedAddress, openAt, recordedEvents } from './feed.ts'

/** The limits of a timeline (document: Feed window; Limits). */
const cap = 300
const day = 24 * 60 * 60 * 1000
const window = 30 * day
/** One more day, since the document does not say how often old events are removed (readings C17). */
const windowWithSlack = 31 * day

/** A feed that is known to exceed the cap. Checks of the cap read it if the judged feed is too short. */
export interface BusyFeed<Needs extends NeedMap, Given> {
  readonly need: Needing<Given>
  /** The needs of the feed that it replaces. */
  readonly asNeeds: (busy: Given) => Partial<Resolved<Needs>>
}

/** The checks of the age of every recorded event, and of the number of events in the feed. */
export function feedWindowChecks<Needs extends NeedMap, Given>(
  feed: Feed<Needs>,
  busy?: BusyFeed<Needs, Given>,
) {
  const recorded = feed.with({ requirement: 'events.window.age', schedule: 'afterwards' })
  const older = (aspect: string, level: 'must' | 'should', limit: number) =>
    recorded.check(
      aspect,
      `omits events older than ${limit / day} days`,
      { level },
      async (t, needs) => expectNoneOlder(t, await recordedEvents(t, feed, needs), limit),
    )
  return [
    older('age', 'must', windowWithSlack),
    older('age-exact', 'should', window),
    capCheck(feed, busy),
  ]
}

/** The check of the cap. It reads a busier feed of the same kind if one is given, unless the feed reaches the cap itself. */
function capCheck<Needs extends NeedMap, Given>(feed: Feed<Needs>, busy?: BusyFeed<Needs, Given>) {
  const aspect = 'cap'
  const title = `limits the feed to ${cap} events over all its pages`
  const size = feed.with({ requirement: 'events.window.size' })
  if (!busy) return size.check(aspect, title, (t, needs) => expectCap(t, feed, feed.at(needs)))
  const asks = busy.need.type === 'need' ? { asks: [busy.need.name] } : {}
  return size.check(
    aspect,
    title,
    { also: { busier: optional(busy.need) }, ...asks },
    async (t, needs, { busier }) =>
      expectCap(
        t,
        feed,
        feed.at(busier ? { ...needs, ...busy.asNeeds(busier) } : needs),
        busy.need,
      ),
  )
}

/** The check that old events are omitted from a feed below the cap. The public feed is always at the cap, so it has none. */
export function hiddenPastCheck<Needs extends NeedMap>(feed: Feed<Needs>) {
  return feed.check(
    'window',
    'omits events past the age limit from a feed below the size limit',
    {
      requirement: 'events.window.age',
      also: { windowed: need('windowed-feed', { feed: endpointLabel(feed.endpoint) }) },
    },
    async (t, needs, { windowed: { path } }) => {
      if (!pathMatches(t.spelled(feed.endpoint.path), path))
        t.untested(`${path} belongs to another feed`, 'windowed-feed')
      const address = { as: feed.at(needs).as, path }
      const { items, repeated, cut } = await openAt(t, feed, address).walk()
      if (items.length >= cap)
        t.untested(
          `the feed ${path} contains ${items.length} events; at the size limit its age limit cannot be observed`,
        )
      const others = await unlessUntested(openAt(t, feed, address, anonymous).walk())
      expectNoneOlder(t, items.concat(others?.items ?? []), windowWithSlack)
      if (repeated || cut) t.untested(`the pages of ${path} do not end, so older events may follow`)
    },
  )
}

async function expectCap<Needs extends NeedMap>(
  t: CheckContext,
  feed: Feed<Needs>,
  address: FeedAddress,
  busier?: NeedMap[string],
) {
  const list = openAt(t, feed, address)
  const { max } = list.paging
  const page = (number: number) => t.read(list.request({ per_page: max, page: number }))
  const [last, next] = [await page(cap / max), await page(cap / max + 1)]
  // No page before a full one at the cap need be read.
  if (last.count === max && next.count === 0 && !next.broken) return expectEnd(t, feed, address)
  const { items, ids: all, pages } = await list.walk()
  const head = dateOf(pages[0]) ?? newest(items)
  // Events that were created during the walk are not counted (readings C16).
  const ids = new Set(all.filter((_, index) => createdAt(items[index]?.value) <= head))
  if (ids.size > cap)
    t.deviation({
      expected: `at most ${cap} events`,
      actual: `${ids.size} events`,
      exchanges: pages,
    })
  if (ids.size === cap) return expectEnd(t, feed, address)
  await expectSameEnd(t, list)
  const reason = `the feed contains ${ids.size} events; the limit of ${cap} can be observed only on a feed that reaches it`
  if (busier) await t.missing(busier, reason)
  t.untested(reason)
}

/** Expects no event beyond the cap, for any page size and any reader. */
async function expectEnd<Needs extends NeedMap>(
  t: CheckContext,
  feed: Feed<Needs>,
  address: FeedAddress,
) {
  const { default: usual, max } = feed.endpoint.paging
  const beyond = (size: number) => cap / size + 1
  const own = openAt(t, feed, address)
  const requests = [
    own.request({ page: beyond(usual) }),
    own.request({ per_page: 10, page: beyond(10) }),
  ]
  const wanted = isLatest(t)
    ? ({ kind: 'classic', scopes: [] } as const)
    : ({ kind: 'fine-grained', permissions: {} } as const)
  const callers = [anonymous, await unlessUntested(t.tokenFor({ ...wanted, of: 'outsider' }))]
  const others = callers.map((as, index) => {
    const per_page = max / (index + 1)
    const request = openAt(t, feed, address, as).request({ per_page, page: beyond(per_page) })
    return { ...request, extra: 'past the end' }
  })
  for (const request of feed.ownerOnly ? requests : requests.concat(others)) {
    const page = await unlessUntested(t.send(request))
    if (page?.status !== 200 || page.count === 0) continue
    // A page with the first events again is not past the end; other checks judge it.
    const known = (await own.walk()).ids
    if (own.ids(page).some((id) => known.includes(id))) continue
    t.expect(page).satisfy(
      `no event on page ${request.query?.page}, since ${cap} precede it`,
      false,
      `${page.count} events`,
    )
  }
  t.examined(cap)
}

/** Ages are measured by the target's own clock, or by its newest event where its responses have no date (readings G10). */
function expectNoneOlder(t: CheckContext, events: readonly Located[], limit: number) {
  const latest = newest(events)
  const dated = events.filter(({ value }) => Number.isFinite(createdAt(value)))
  const ages = dated.map((event) => ({
    ...event,
    value: (dateOf(event.exchange) ?? latest) - createdAt(event.value),
  }))
  t.expectAll(ages, 'dated event').satisfy(
    `an age of at most ${limit / day} days`,
    // A date in the future is wrong too, such as one in another time zone. Half an hour is left for clocks that differ.
    (age) => age <= limit && age > -day / 48,
    (age) => `more than ${Math.floor(age / day)} days`,
  )
}

function dateOf(response?: Exchange) {
  const date = Date.parse(response?.header('date') ?? '')
  return Number.isFinite(date) ? date : undefined
}

const newest = (events: readonly Located[]) =>
  Math.max(...events.map(({ value }) => createdAt(value)).filter(Number.isFinite))
