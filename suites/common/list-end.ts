import { isLatest } from '../../src/spec/versions.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { type Listing, type Query, sameIds, type Walk } from '../../src/suite/listing.ts'
import { bracketed } from '../../src/suite/observe.ts'
import { counted } from '../../src/text/format.ts'

/** A refused page past the end counts as empty (readings A6). */
export async function laterPage(t: CheckContext, list: Listing, query: Query) {
  const page = await t.send(list.request(query))
  const served = page.status === 200 && page.isList
  return served || (Number(query.page) > 1 && page.rejected) ? page : list.freshPage(query)
}

/** Expects that large and small pages end with the same item. An item on the last small page and on no large page was cut off. */
export async function expectSameEnd(t: CheckContext, list: Listing) {
  const look = await bracketed(t, {
    shared: () => list.walk(),
    read: () => list.walk({ fresh: true }),
    probe: (walk) => lostAtEnd(t, list, walk),
    same: (a, b) => sameIds(a.ids, b.ids),
    expected: (_, lost) => lost === undefined,
    mayBeOld: (_, lost) => lost?.isShifted === true,
  })
  if (!look?.result) return
  const { actual, exchanges } = look.result
  t.deviation({ expected: 'the same items with any per_page', actual, exchanges })
}

/** Page sizes of which the last pages are read. */
export const lastSizes = [10, 9, 8, 7, 6, 5, 4, 3, 2]

/** The items that are missing at the end, if any. A page proves by its number of items that its last places have one (readings A3). */
async function lostAtEnd(t: CheckContext, list: Listing, { ids, cut, repeated, pages, end }: Walk) {
  const { length: count } = ids
  if (cut || repeated || count === 0) return undefined
  const { max } = list.paging
  const shared = lastSizes.find((size) => count % size > 0) ?? 1
  const page = Math.floor(count / shared) + 1
  const further = await laterPage(t, list, { per_page: shared, page })
  const cutOff = further.status === 200 ? list.ids(further).filter((id) => !ids.includes(id)) : []
  if (cutOff.length > 0)
    return {
      actual: `${counted(cutOff.length, 'item')} on page ${page} with per_page=${shared} and on no page with per_page=${max}`,
      exchanges: [further, ...pages, ...end],
      isShifted: true,
    }
  // The last page has one item in the older version, and is full in the newer one.
  const size = divisor(count - (isLatest(t) ? 0 : 1), max) ?? 1
  const number = Math.ceil(count / size)
  const ending = await laterPage(t, list, { per_page: size, page: number })
  // If all pages are full, a target may refuse the next page as past the end.
  const isEmpty = list.ids(ending).length === 0 && !(ending.rejected && count % max === 0)
  if (!isEmpty) return undefined
  // Another page ends within the empty one. More items than places before it contradict that.
  const before = size * (number - 1)
  for (let last = before + 1; last <= before + size; last += 1) {
    const wider = divisor(last, max, last - before + 1) ?? 1
    const other = await laterPage(t, list, { per_page: wider, page: last / wider })
    if (last - wider <= before && list.ids(other).length + last - wider > before)
      return {
        actual: `item ${before + 1} on page ${last / wider} with per_page=${wider}, and nothing on page ${number} with per_page=${size}`,
        exchanges: [other, ending],
        isShifted: false,
      }
  }
  return undefined
}

/** The smallest divisor of a number from `least` to `most`. */
const divisor = (of: number, most: number, least = 2) =>
  Array.from({ length: most - least + 1 }, (_, index) => index + least).find(
    (size) => of % size === 0,
  )
