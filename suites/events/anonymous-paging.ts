import { anonymous } from '../../src/http/exchange/caller.ts'
import type { Exchange } from '../../src/http/exchange/exchange.ts'
import type { Check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { type Listing, sameIdSet } from '../../src/suite/listing.ts'
import type { NeedMap } from '../../src/suite/needs.ts'
import { type Feed, open } from './feed.ts'

/** The sizes of pages are the same for callers without a token. */
export function anonymousPagingCheck<Needs extends NeedMap>(feed: Feed<Needs>): Check {
  return feed.check(
    'anonymous-paging',
    'applies page and per_page to requests without a token as well',
    'conventions.per-page',
    async (t, needs) => {
      const list = open(t, feed, needs, anonymous)
      const answer = await t.read(list.request())
      if (answer.status !== 200) t.untested(`an anonymous request returns ${answer.status}`)
      await expectPagesOfOne(t, list)
      await expectSizes(t, list)
    },
  )
}

async function expectPagesOfOne(t: CheckContext, list: Listing): Promise<void> {
  const frame = { per_page: 1 }
  const next = () => t.send(list.request({ ...frame, page: 2 }))
  const apart = (ids: string[], other: Exchange) => ids.length <= 1 && !list.ids(other).some((id) => ids.includes(id))
  const { ids, page, result } = await list.bracket(frame, next, apart)
  const actual = `${ids.length} and ${list.ids(result).length} events, or the same one twice`
  if (apart(ids, result)) return t.examined(list.ids(result).length)
  t.deviation({ expected: 'one event on page 1 and another one on page 2 of size 1', actual, exchanges: [page, result] })
}

/** The default size, the largest one, and one above it. */
async function expectSizes(t: CheckContext, list: Listing): Promise<void> {
  const { default: usual, max } = list.paging
  await expectSameItems(t, list, {}, [{ per_page: usual }], usual)
  const half = { per_page: Math.floor(max / 2) }
  await expectSameItems(t, list, { per_page: max }, [half, { ...half, page: 2 }], max)
  const page = await t.read(list.request({ per_page: max + 1 }))
  const count = list.ids(page).length
  if (count > max) t.deviation({ expected: `at most ${max} events`, actual: `${count} events`, exchanges: [page] })
}

/** A page contains at most `size` events, which are those of the other pages together; page 2 may be past the end (readings A6). */
async function expectSameItems(
  t: CheckContext,
  list: Listing,
  frame: Record<string, number>,
  others: readonly Record<string, number>[],
  size: number,
): Promise<void> {
  const pages = async () => {
    const answers: Exchange[] = []
    for (const query of others) answers.push(await t.send(list.request(query)))
    return answers
  }
  const idsOf = (answers: readonly Exchange[]) => [...new Set(answers.flatMap((answer) => list.ids(answer)))]
  const same = (ids: string[], answers: readonly Exchange[]) => ids.length <= size && sameIdSet(ids, idsOf(answers))
  const { ids, page, result } = await list.sharedBracket(frame, pages, same)
  if (same(ids, result)) return t.examined(ids.length > 0 ? 1 : 0)
  const expected = `at most ${size} events, those of ${others.map(asText).join(' and ')}`
  t.deviation({ expected, actual: `${ids.length} events instead of ${idsOf(result).length}`, exchanges: [page, ...result] })
}

function asText(query: Record<string, number>): string {
  return Object.entries(query)
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
}
