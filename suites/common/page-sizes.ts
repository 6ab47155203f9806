import type { CheckContext } from '../../src/suite/context.ts'
import { type Listing, type Query, sameIds } from '../../src/suite/listing.ts'
import { expectSameItems } from './paging.ts'

/** The readers and numbers beside which the sizes of a caller's pages are judged. */
interface Compared {
  /** The list of its usual reader. A size that is wrong there as well is left to the checks of that reader. */
  readonly usual?: Listing
  /** The number of items that the caller is known to receive. It places the request above the maximum on the last full page. */
  readonly total?: number
}

/**
 * Expects that a further caller, or a further list of the same kind, has the documented page sizes (readings A, G20). One look
 * at the default page, the largest one, one above it and the second page of one decides. Only a wrong size is read further.
 * Returns true if the list has more than one item.
 */
export async function expectSizes(t: CheckContext, list: Listing, compared: Compared = {}) {
  const { usual, total = 0 } = compared
  const { default: size, max } = list.paging
  const { wrong, above, length } = await sizesOf(t, list, total)
  const known = wrong.length > 0 && usual ? (await sizesOf(t, usual, total)).wrong : []
  // The largest page of a short list is never full. Any other part proves that paging fails for the usual reader as well.
  const isKnown = known.some((part) => part !== 'largest')
  const isWrong = (part: Part) => !isKnown && wrong.includes(part) && !known.includes(part)
  const count = list.ids(above).length
  if (isWrong('limit')) t.expect(above).satisfy(`at most ${max} items`, false, `${count} items`)
  const one = { per_page: 1 }
  if (isWrong('second'))
    await expectSameItems(t, list, { per_page: 2 }, [one, { ...one, page: 2 }], 2)
  if (isWrong('default')) await expectSameItems(t, list, {}, [{ per_page: size }], size)
  const half = { per_page: Math.floor(max / 2) }
  if (isWrong('largest'))
    await expectSameItems(t, list, { per_page: max }, [half, { ...half, page: 2 }], max)
  return Math.max(count, length) > 1
}

/** The parts of paging that one look can show as wrong. */
type Part = 'limit' | 'second' | 'default' | 'largest'

async function sizesOf(t: CheckContext, list: Listing, total: number) {
  const { default: size, max } = list.paging
  // The last page that would be full without a limit.
  const last = Math.max(1, Math.floor(total / (max + 1)))
  const read = (query: Query) => t.read(list.request(query))
  const above = await read({ per_page: max + 1, page: last })
  const second = await read({ per_page: 1, page: 2 })
  const first = await list.page()
  const ids = list.ids(await list.page({ page: 1, per_page: max }))
  const isRight: Record<Part, boolean> = {
    limit: list.ids(above).length <= max,
    second: sameIds(list.ids(second), ids.slice(1, 2)),
    default: sameIds(list.ids(first), ids.slice(0, size)),
    largest: ids.length === max,
  }
  const parts = Object.keys(isRight) as Part[]
  return { above, length: ids.length, wrong: parts.filter((part) => !isRight[part]) }
}
