import type { Exchange } from '../../src/http/exchange/exchange.ts'
import type { Level } from '../../src/spec/requirements.ts'
import type { Operation } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import {
  type ListAddress,
  Listing,
  type Query,
  sameIdSet,
  type Walk,
} from '../../src/suite/listing.ts'
import type { NeedMap, Resolved } from '../../src/suite/needs.ts'
import { counted } from '../../src/text/format.ts'
import { expectSameEnd, lastSizes, laterPage } from './list-end.ts'

/** A paged list whose address depends on the needs of its checks. */
export interface PagedList<Needs extends NeedMap> {
  readonly paging: { readonly default: number; readonly max: number }
  /** A need whose objects make the list long enough for the checks. */
  readonly also?: NeedMap
  readonly at: (needs: Resolved<Needs>) => ListAddress
}

/** The checks that every paged list has in common (document: Common request conventions; Limits; readings A). */
export function pagingChecks<Needs extends NeedMap>(
  paged: Operation<Needs>,
  list: PagedList<Needs>,
) {
  const { paging, also = {} } = list
  const half = Math.floor(paging.max / 2)
  const claim = (
    aspect: string,
    requirement: string,
    title: string,
    judge: (t: CheckContext, list: Listing) => Promise<void>,
    level: Level = 'must',
  ) =>
    paged.check(aspect, title, { requirement, level, also }, (t, resolved) =>
      judge(t, new Listing(t, list.at(resolved))),
    )

  return [
    claim(
      'per-page-default',
      'limits.per-page-default',
      `returns ${paging.default} items per page by default`,
      expectDefaultSize,
    ),
    claim(
      'per-page-max',
      'limits.per-page-max',
      `limits a page to ${paging.max} items`,
      expectLimitedSize,
    ),
    claim(
      'per-page-reachable',
      'limits.per-page-max',
      `returns the same items on one page of ${paging.max} as on two pages of ${half}`,
      (t, open) => expectHalvesAddUp(t, open, half, 1),
    ),
    claim(
      'page-default',
      'conventions.page-default',
      'returns page 1 when no page number is given',
      expectFirstPageByDefault,
    ),
    claim(
      'page-advances',
      'conventions.page',
      'returns different items on page 1 and page 2',
      expectSecondPageDiffers,
    ),
    claim(
      'paging-split',
      'conventions.page',
      'returns the same items whatever the page size',
      expectAnyPageSplits,
    ),
    claim(
      'paging-unique',
      'conventions.page',
      'lists each item on one page only',
      expectEachItemOnce,
    ),
    claim(
      'paging-robust',
      'conventions.per-page',
      'returns no server error and no oversized page for values out of range',
      expectNoErrorOutOfRange,
      'should',
    ),
  ]
}

async function expectDefaultSize(t: CheckContext, list: Listing) {
  const { default: size } = list.paging
  // Pages that equal their places in a walk over larger pages have the default size, stated or omitted.
  const isFirst = await areAsWalked(t, list, [{}, { per_page: size }])
  if (!isFirst) await expectSameItems(t, list, {}, [{ per_page: size }], size)
  await requireLonger(t, list, size)
  const second = { page: 2 }
  const isSecond = await areAsWalked(t, list, [second])
  if (!isSecond) await expectSameItems(t, list, second, [{ ...second, per_page: size }], size)
  t.examined(1)
}

/** Expects at most `size` items, those of the other pages together. A later page may be past the end (readings A6). */
export async function expectSameItems(
  t: CheckContext,
  list: Listing,
  frame: Query,
  others: readonly Query[],
  size: number,
) {
  const pages = async () => {
    const responses: Exchange[] = []
    for (const query of others) responses.push(await laterPage(t, list, query))
    return responses
  }
  const idsOf = (responses: readonly Exchange[]) => [
    ...new Set(responses.flatMap((response) => list.ids(response))),
  ]
  const same = (ids: string[], responses: readonly Exchange[]) =>
    ids.length <= size && sameIdSet(ids, idsOf(responses))
  const { ids, page, result } = await list.sharedBracket(frame, pages, same)
  if (same(ids, result)) return result
  const wanted = idsOf(result)
  // The last response is the one that deviates: too many items, or fewer than the other pages have.
  const isFrameWrong = ids.length > size || ids.length < wanted.length
  t.deviation({
    expected: `the same items with ${asWritten(frame)} as with ${others.map(asWritten).join(' and ')}, at most ${size}`,
    actual: countsText(ids, wanted),
    exchanges: isFrameWrong ? [...result, page] : [page, ...result],
  })
}

/** `30 and 15 items, 15 of them in both`. */
export function countsText(ids: readonly string[], others: readonly string[]) {
  const shared = ids.filter((id) => others.includes(id))
  return `${ids.length} and ${others.length} items, ${shared.length} of them in both`
}

const tooShort = ({ length }: readonly string[], least: number, pages: number, size: number) =>
  `${counted(pages, 'page')} with per_page=${size} had ${counted(length, 'item')}; more than ${least} are needed`

/** Beyond every maximum, and beyond 32 bits. */
const hugeNumber = 10 ** 12

async function expectLimitedSize(t: CheckContext, list: Listing) {
  const { max } = list.paging
  const above = max + 1
  const { ids } = await list.walk()
  // The last page that would be full without a limit. Page 1 is requested in any case.
  const last = Math.floor(ids.length / above)
  const queries = [
    { per_page: above },
    { per_page: hugeNumber },
    { per_page: above, page: last },
  ].slice(0, last > 1 ? 3 : 2)
  const responses = await Promise.all(queries.map((query) => t.read(list.request(query))))
  const long = responses.find((page) => page.status === 200 && list.ids(page).length > max)
  if (long)
    t.expect(long).satisfy(
      `at most ${max} items, or a rejection of the page size`,
      false,
      `${list.ids(long).length} items`,
    )
  if (!responses.some(({ rejected }) => rejected)) await requireLonger(t, list, max)
  t.examined(responses.filter(({ status, rejected }) => status === 200 || rejected).length)
}

/** Ends the check as untested for a short list. The list is read again, since the shared walk may be older than the data. */
async function requireLonger(t: CheckContext, list: Listing, size: number) {
  if ((await list.walk()).ids.length > size) return
  const { ids, pages, end } = await list.walk({ fresh: true })
  if (ids.length <= size)
    t.untested(tooShort(ids, size, pages.length + end.length, list.paging.max))
}

async function expectFirstPageByDefault(t: CheckContext, list: Listing) {
  const isSame = (frame: string[], other: Exchange) => sameIdSet(frame, list.ids(other))
  const { ids, page, result } = await list.sharedBracket(
    {},
    () => list.freshPage({ page: 1 }),
    isSame,
  )
  if (ids.length === 0) t.untested('the list is empty')
  t.expect(result, page).satisfy(
    'the same items for page=1 as without page',
    isSame(ids, result),
    'different items',
  )
  // The control: a target that ignores the page number returns page 1 in both cases (readings G15).
  const next = await t.read(list.request({ page: 2 }))
  if (next.status === 200 && sameIdSet(ids, list.ids(next)))
    t.untested('the page number is ignored altogether')
}

async function expectSecondPageDiffers(t: CheckContext, list: Listing) {
  const size = Math.min(10, list.paging.default)
  const one = await list.page({ per_page: 1 })
  const { length } = list.ids(one)
  t.expect(one).satisfy('at most one item with per_page=1', length <= 1, `${length} items`)
  const first = { per_page: size }
  const second = () => list.freshPage({ ...first, page: 2 })
  const both = (frame: string[], other: Exchange) =>
    list.ids(other).filter((id) => frame.includes(id))
  const { ids, page, result } = await list.bracket(
    first,
    second,
    (frame, other) => both(frame, other).length === 0,
  )
  if (ids.length === 0 || list.ids(result).length === 0) t.untested('the list fits on one page')
  const repeated = both(ids, result)
  t.expect(result, page).satisfy(
    'different items on page 1 and page 2',
    repeated.length === 0,
    `${counted(repeated.length, 'item')} repeated from page 1`,
  )
}

/** Expects the two halves of size n on page `number` of size 2n: by their places in the walk, or by comparing the pages. */
async function expectHalvesAddUp(
  t: CheckContext,
  list: Listing,
  half: number,
  number: number,
  one = number * 2,
) {
  const whole = { per_page: half * 2, ...(number === 1 ? {} : { page: number }) }
  if (await areAsWalked(t, list, [whole, { per_page: half, page: one }])) return t.examined(1)
  const parts = [number * 2 - 1, number * 2].map((page) => ({ per_page: half, page }))
  const pages = await expectSameItems(t, list, whole, parts, half * 2)
  const halves = pages.flatMap((page) => list.ids(page))
  const long = pages.find((page) => list.ids(page).length > half)
  if (long)
    t.deviation({
      expected: `at most ${half} items`,
      actual: `${list.ids(long).length}`,
      exchanges: [long],
    })
  // Equal halves mean a list of one page, or an ignored page number, which another check judges (readings A9).
  if (new Set(halves).size < Math.min(half, halves.length)) t.untested('the list fits on one page')
  if (halves.length > half) t.examined(1)
  else if (number === 1) t.untested(tooShort(halves, half, pages.length, half))
}

/** The number of random pages that are compared with one half, for two requests each, or five if the list has changed. */
const splitRuns = 3

async function expectAnyPageSplits(t: CheckContext, list: Listing) {
  const { ids } = await list.walk()
  const total = ids.length
  if (total < 4) t.untested(`the list contains ${total} items; at least 4 are needed`)
  const largest = Math.min(Math.floor(list.paging.max / 4), Math.floor(total / 2))
  for (let run = 0; run < splitRuns; run += 1) {
    // Run 0 takes the last page, which finds a lost end. Run 1 takes the largest page, which finds a small maximum.
    // The last page ends within its second half.
    const isHalf = (size: number) => size <= largest && total % (size * 2) > size
    const last = run === 0 ? lastSizes.find(isHalf) : undefined
    const half = run === 1 ? largest : (last ?? oneTo(t, largest))
    const number = last
      ? Math.ceil(total / (half * 2))
      : oneTo(t, Math.max(1, Math.floor(total / (half * 2))))
    // A last page that is not full would reach past the end, so it may be refused (readings A6).
    const isRefused =
      last && (await t.read(list.request({ per_page: half * 2, page: number }))).rejected
    if (!isRefused) await expectHalvesAddUp(t, list, half, number, number * 2 - (run % 2))
  }
  if (total >= list.paging.max) await expectFarPage(t, list)
  await expectSameEnd(t, list)
}

/** Expects one item of the largest first page on a page of one, far from the first, unless refused (readings A3, A6). */
async function expectFarPage(t: CheckContext, list: Listing) {
  const { max } = list.paging
  const read = () => laterPage(t, list, { per_page: 1, page: max })
  const same = (ids: string[], far: Exchange) =>
    ids.length < max || far.rejected || list.ids(far).some((id) => ids.includes(id))
  const { ids, page, result } = await list.sharedBracket({ per_page: max }, read, same)
  const [actual = 'no item'] = list.ids(result)
  t.expect(result, page).satisfy(
    `one of the first ${max} items on page ${max}`,
    same(ids, result),
    actual,
  )
}

/** True if each of the pages contains the items that the whole walk has at its place. */
async function areAsWalked(t: CheckContext, list: Listing, queries: readonly Query[]) {
  const { ids } = await list.walk()
  for (const query of queries) {
    const { per_page = list.paging.default, page = 1 } = query
    const end = Number(per_page) * Number(page)
    const wanted = ids.slice(end - Number(per_page), end)
    const response = await t.read(list.request(query))
    if (wanted.length === 0 || !sameIdSet(list.ids(response), wanted)) return false
  }
  return true
}

/** A random whole number, at least 1 and at most `most`. */
const oneTo = (t: CheckContext, most: number) => 1 + Math.floor(t.random() * most)

async function expectEachItemOnce(t: CheckContext, list: Listing) {
  const walk = await steadyWalk(list)
  const expected = 'each item once over all pages'
  if (walk.repeated)
    t.deviation({
      expected,
      actual: 'the same page for two page numbers',
      exchanges: walk.pages.concat(walk.end),
    })
  const repeated = walk.ids.findIndex((id, index) => walk.ids.indexOf(id) < index)
  if (repeated >= 0)
    t.deviation({
      expected,
      actual: `the item ${walk.ids[repeated]} twice`,
      exchanges: walk.items.slice(repeated, repeated + 1).map(({ exchange }) => exchange),
    })
  t.examined(walk.ids.length)
}

/** The shared walk if no item repeats in it. Otherwise a new walk during which the first page stays the same. */
async function steadyWalk(list: Listing) {
  const isUnique = ({ ids, repeated }: Walk) => new Set(ids).size === ids.length && !repeated
  const walk = await list.walk()
  if (isUnique(walk)) return walk
  const { result } = await list.bracket(
    { per_page: list.paging.max },
    () => list.walk({ fresh: true }),
    (_, again) => isUnique(again),
    { mayBeOld: ({ repeated }) => !repeated },
  )
  return result
}

async function expectNoErrorOutOfRange(t: CheckContext, list: Listing) {
  const { max } = list.paging
  await list.page()
  // An invalid page number is sent with a page size of 1: only an error or an oversized page is then a finding.
  const odd = [0, -1, 'many', hugeNumber].flatMap((value) => [
    { per_page: value },
    { page: value, per_page: 1 },
  ])
  for (const query of [...odd, { per_page: max + 1 }]) {
    const page = await t.read(list.request(query))
    // Another check judges a size above the maximum.
    const isSized = Number(query.per_page) > max || page.count <= max
    t.expect(page)
      .satisfy('no server error', page.status < 500)
      .satisfy(`at most ${max} items`, isSized, counted(page.count, 'item'))
  }
}

/** A query as it is written in an address. */
export function asWritten(query: Query) {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${value}`)
  return pairs.length === 0 ? 'no parameter' : pairs.join('&')
}
