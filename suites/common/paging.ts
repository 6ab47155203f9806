import type { Exchange } from '../../src/http/exchange/exchange.ts'
import { type Check, check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { type ListAddress, Listing, sameIdSet, type Walk } from '../../src/suite/listing.ts'
import type { NeedMap, Resolved } from '../../src/suite/needs.ts'
import { counted } from '../../src/text/format.ts'

/** A paged list whose address depends on what the checks' needs resolve to. */
export interface PagedList<Needs extends NeedMap> {
  /** The `area.operation` that the checks' ids begin with. */
  readonly id: string
  readonly paging: { readonly default: number; readonly max: number }
  readonly needs: Needs
  /** What makes the list long enough, where that is a need of its own. */
  readonly also?: NeedMap
  readonly at: (needs: Resolved<Needs>) => ListAddress
}

/** The checks that every paged list has in common (document: Common request conventions; Limits; readings A). */
export function pagingChecks<const Needs extends NeedMap>(list: PagedList<Needs>): Check[] {
  const { id, needs, paging, also = {} } = list
  const open = (context: CheckContext, resolved: Resolved<Needs>) => new Listing(context, list.at(resolved))
  const half = Math.floor(paging.max / 2)

  return [
    check({
      id: `${id}.per-page-default`,
      requirement: 'limits.per-page-default',
      level: 'must',
      title: `returns ${paging.default} items per page by default`,
      needs,
      also,
      run: async (t, resolved) => sizeByDefault(t, open(t, resolved)),
    }),
    check({
      id: `${id}.per-page-max`,
      requirement: 'limits.per-page-max',
      level: 'must',
      title: `limits a page to ${paging.max} items`,
      needs,
      also,
      run: async (t, resolved) => sizeAboveMaximum(t, open(t, resolved)),
    }),
    check({
      id: `${id}.per-page-reachable`,
      requirement: 'limits.per-page-max',
      level: 'must',
      title: `returns the same items on one page of ${paging.max} as on two pages of ${half}`,
      needs,
      also,
      run: async (t, resolved) => pagesAddUp(t, open(t, resolved), half, 1),
    }),
    check({
      id: `${id}.page-default`,
      requirement: 'conventions.page-default',
      level: 'must',
      title: 'returns page 1 when no page number is given',
      needs,
      also,
      run: async (t, resolved) => firstPageByDefault(t, open(t, resolved)),
    }),
    check({
      id: `${id}.page-advances`,
      requirement: 'conventions.page',
      level: 'must',
      title: 'returns different items on page 1 and page 2',
      needs,
      also,
      run: async (t, resolved) => secondPageDiffers(t, open(t, resolved)),
    }),
    check({
      id: `${id}.paging-split`,
      requirement: 'conventions.page',
      level: 'must',
      title: 'returns the same items on any page of size 2n as on its two halves of size n',
      needs,
      also,
      run: async (t, resolved) => anyPageSplits(t, open(t, resolved)),
    }),
    check({
      id: `${id}.paging-unique`,
      requirement: 'conventions.page',
      level: 'must',
      title: 'lists each item on one page only',
      needs,
      also,
      run: async (t, resolved) => noneTwice(t, open(t, resolved)),
    }),
    check({
      id: `${id}.paging-robust`,
      requirement: 'conventions.per-page',
      level: 'should',
      title: 'returns no server error for page numbers or sizes out of range',
      needs,
      also,
      run: async (t, resolved) => oddPagesAreHarmless(t, open(t, resolved)),
    }),
  ]
}

async function sizeByDefault(t: CheckContext, list: Listing): Promise<void> {
  const size = list.paging.default
  const sameItems = (frame: string[], other: Exchange) => frame.length <= size && sameIdSet(frame, list.ids(other))
  const { ids, page, result } = await list.sharedBracket({}, () => list.freshPage({ per_page: size }), sameItems)
  const expected = `at most ${size} items, the same as with per_page=${size}`
  if (ids.length > size) t.deviation({ expected, actual: `${ids.length} items`, exchanges: [page] })
  const explicit = list.ids(result)
  if (!sameIdSet(ids, explicit)) {
    t.deviation({
      expected,
      actual: `${ids.length} items, but ${explicit.length} with an explicit per_page`,
      exchanges: [page, result],
    })
  }
  const { ids: all } = await list.walk()
  if (all.length <= size) t.untested(tooShort(all, size))
  await secondByDefault(t, list, size)
  t.examined(1)
}

/** The default holds for every page. */
async function secondByDefault(t: CheckContext, list: Listing, size: number): Promise<void> {
  const sameItems = (frame: string[], other: Exchange) => sameIdSet(frame, list.ids(other))
  const { ids, page, result } = await list.bracket({ page: 2 }, () => list.freshPage({ per_page: size, page: 2 }), sameItems)
  const explicit = list.ids(result)
  if (sameIdSet(ids, explicit)) return
  const expected = `the same items on page 2 as with per_page=${size}`
  t.deviation({
    expected,
    actual: `${ids.length} items, but ${explicit.length} with an explicit per_page`,
    exchanges: [page, result],
  })
}

function tooShort({ length }: readonly string[], size: number): string {
  return `the list contains ${counted(length, 'item')}; more than ${size} are needed`
}

async function sizeAboveMaximum(t: CheckContext, list: Listing): Promise<void> {
  const { max } = list.paging
  await list.page()
  let judged = 0
  for (const size of [max + 1, max * 10]) {
    const page = await t.read(list.request({ per_page: size }))
    if (page.status >= 400 && page.status < 500) judged += 1
    const count = page.status === 200 ? list.ids(page).length : 0
    if (count > max) {
      t.deviation({
        expected: `at most ${max} items, or a rejection of the page size`,
        actual: `${count} items`,
        exchanges: [page],
      })
    }
    if (page.status === 200 && (await list.walk()).ids.length > max) judged += 1
  }
  t.examined(judged)
  if (judged > 0) return
  const { ids } = await list.walk()
  if (ids.length <= max) t.untested(tooShort(ids, max))
}

async function firstPageByDefault(t: CheckContext, list: Listing): Promise<void> {
  const sameItems = (frame: string[], other: Exchange) => sameIdSet(frame, list.ids(other))
  const { ids, page, result } = await list.sharedBracket({}, () => list.freshPage({ page: 1 }), sameItems)
  if (ids.length === 0) t.untested('the list is empty')
  if (!sameIdSet(ids, list.ids(result))) {
    t.deviation({ expected: 'the same items for page=1 as without page', actual: 'different items', exchanges: [page, result] })
  }
  await obeysPage(t, list, ids)
  t.examined(1)
}

/** The control: a target that ignores the page number answers page 1 alike, whatever it takes for the default (readings G15). */
async function obeysPage(t: CheckContext, list: Listing, first: readonly string[]): Promise<void> {
  const next = await t.send(list.request({ page: 2 }))
  if (next.status === 200 && sameIdSet(first, list.ids(next))) t.untested('the page number is ignored altogether')
}

async function secondPageDiffers(t: CheckContext, list: Listing): Promise<void> {
  const size = Math.min(10, list.paging.default)
  const apart = (frame: string[], other: Exchange) => !list.ids(other).some((id) => frame.includes(id))
  const { ids, page, result } = await list.bracket({ per_page: size }, () => list.freshPage({ per_page: size, page: 2 }), apart)
  await oneAtMost(t, list)
  const next = list.ids(result)
  if (ids.length === 0 || next.length === 0) t.untested('the list fits on one page')
  const known = new Set(ids)
  const repeated = next.filter((id) => known.has(id))
  if (repeated.length > 0) {
    const actual = `${counted(repeated.length, 'item')} repeated from page 1`
    t.deviation({ expected: 'different items on page 1 and page 2', actual, exchanges: [page, result] })
  }
  t.examined(1)
}

async function oneAtMost(t: CheckContext, list: Listing): Promise<void> {
  const page = await list.page({ per_page: 1 })
  const { length } = list.ids(page)
  if (length > 1) t.deviation({ expected: 'at most one item with per_page=1', actual: `${length} items`, exchanges: [page] })
}

/** Compares page `number` of size 2n with its two halves, bracketed; nothing beyond the end of the list is compared. */
async function pagesAddUp(t: CheckContext, list: Listing, half: number, number: number): Promise<void> {
  const whole = { per_page: half * 2, ...(number === 1 ? {} : { page: number }) }
  const idsOf = (pages: readonly Exchange[]) => pages.flatMap((exchange) => list.ids(exchange))
  const { ids, page, result } = await list.sharedBracket(
    whole,
    async () => [
      await halfPage(t, list, { per_page: half, page: number * 2 - 1 }),
      await halfPage(t, list, { per_page: half, page: number * 2 }),
    ],
    (frame, pages) => sameIdSet(frame, idsOf(pages)),
  )
  const halves = idsOf(result)
  const long = [page, ...result].find((each, index) => list.ids(each).length > (index === 0 ? half * 2 : half))
  if (long)
    t.deviation({ expected: `at most ${half} and ${half * 2} items`, actual: `${list.ids(long).length}`, exchanges: [long] })
  // Two equal halves of a short list are one page, which other checks judge (readings A9).
  if (new Set(halves).size < Math.min(half, halves.length)) t.untested('the list fits on one page')
  if (!sameIdSet(ids, halves)) {
    const expected = `the ${halves.length} items of pages ${number * 2 - 1} and ${number * 2} of size ${half}`
    const known = new Set(halves)
    const actual = `${ids.length} items, ${ids.filter((id) => !known.has(id)).length} of them on neither of the two pages`
    t.deviation({ expected, actual, exchanges: [page, ...result] })
  }
  if (halves.length > half) t.examined(1)
  else if (number === 1) t.untested(tooShort(halves, half))
}

/** A page past the end may be refused (readings A6); it then counts as empty. */
async function halfPage(t: CheckContext, list: Listing, query: { per_page: number; page: number }): Promise<Exchange> {
  const page = await t.send(list.request(query))
  const served = page.status === 200 && Array.isArray(page.json)
  const ended = query.page > 1 && page.status >= 400 && page.status < 500
  return served || ended ? page : list.freshPage(query)
}

/** How many random pages are compared with their halves: each costs two requests, or three where the list has moved. */
const splitRuns = 4

async function anyPageSplits(t: CheckContext, list: Listing): Promise<void> {
  const { ids } = await list.walk()
  const total = ids.length
  if (total < 4) t.untested(`the list contains ${total} items; at least 4 are needed`)
  const largest = Math.min(Math.floor(list.paging.max / 4), Math.floor(total / 2))
  let asWalked = true
  for (let run = 0; run < splitRuns; run += 1) {
    const half = oneTo(t, largest)
    const number = oneTo(t, Math.max(1, Math.floor(total / (half * 2))))
    const one = number * 2 - oneTo(t, 2) + 1
    asWalked &&= (await isPartOf(t, list, ids, half * 2, number)) && (await isPartOf(t, list, ids, half, one))
    if (asWalked) t.examined(1)
    else await pagesAddUp(t, list, half, number)
  }
  await endsAlike(t, list)
}

/** How often an item must be seen on a small page and on no large one: others may mark and remove items meanwhile. */
const endSights = 3

/** Large pages reach as far as small ones: an item of the last small page that no walk shows was cut off. */
export async function endsAlike(t: CheckContext, list: Listing): Promise<void> {
  const size = Math.min(10, list.paging.default)
  let before = await list.walk()
  for (let sight = 1; sight <= endSights; sight += 1) {
    if (before.cut || before.repeated) return
    const page = await halfPage(t, list, { per_page: size, page: Math.floor(before.ids.length / size) + 1 })
    const unknown = page.status === 200 ? without(list.ids(page), before) : []
    if (unknown.length === 0) return
    before = await list.walk({ fresh: true })
    const { length } = without(unknown, before)
    if (length === 0) return
    const actual = `${counted(length, 'item')} on a page of ${size} that no page of ${list.paging.max} shows`
    const expected = 'the same items over pages of any size'
    if (sight === endSights) t.deviation({ expected, actual, exchanges: [page, ...before.pages] })
  }
}

function without(ids: readonly string[], walk: Walk): string[] {
  return ids.filter((id) => !walk.ids.includes(id))
}

/** True when a page holds what stands at its place in a whole walk. */
async function isPartOf(t: CheckContext, list: Listing, ids: readonly string[], size: number, page: number): Promise<boolean> {
  const answer = await halfPage(t, list, { per_page: size, page })
  return sameIdSet(list.ids(answer), ids.slice(size * (page - 1), size * page))
}

/** A random whole number, at least 1 and at most `most`. */
function oneTo(t: CheckContext, most: number): number {
  return 1 + Math.floor(t.random() * most)
}

async function noneTwice(t: CheckContext, list: Listing): Promise<void> {
  const walk = await steadyWalk(list)
  const expected = 'each item once over all pages'
  if (walk.repeated) t.deviation({ expected, actual: 'the same page for two page numbers', exchanges: walk.pages })
  const seen = new Set<string>()
  for (const [index, id] of walk.ids.entries()) {
    if (seen.has(id))
      t.deviation({
        expected,
        actual: `the item ${id} twice`,
        exchanges: walk.items.slice(index, index + 1).map(({ exchange }) => exchange),
      })
    seen.add(id)
  }
  t.examined(seen.size)
}

/** The walk that all checks share where it has no repetitions; else one while the first page does not move, since items that appear in between move others on. */
async function steadyWalk(list: Listing): Promise<Walk> {
  const isUnique = ({ ids, repeated }: Walk) => new Set(ids).size === ids.length && !repeated
  const walk = await list.walk()
  if (isUnique(walk)) return walk
  const frame = { per_page: list.paging.max }
  const { result } = await list.bracket(
    frame,
    () => list.walk({ fresh: true }),
    (_, again) => isUnique(again),
  )
  return result
}

async function oddPagesAreHarmless(t: CheckContext, list: Listing): Promise<void> {
  await list.page()
  for (const query of [{ per_page: 0 }, { per_page: -1 }, { per_page: 'many' }, { page: 0 }, { per_page: list.paging.max + 1 }]) {
    const page = await t.read(list.request(query))
    if (page.status >= 500) t.deviation({ expected: 'no server error', actual: String(page.status), exchanges: [page] })
    t.examined(1)
  }
}
