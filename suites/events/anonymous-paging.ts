import { anonymous } from '../../src/http/exchange/caller.ts'
import type { Exchange } from '../../src/http/exchange/exchange.ts'
import type { Check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { type Listing, sameIdSet, sameIds } from '../../src/suite/listing.ts'
import type { NeedMap } from '../../src/suite/needs.ts'
import { asWritten } from '../common/paging.ts'
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
      await expectSizes(t, list, answer)
    },
  )
}

/** The default size, the largest one, one above it, and pages of one. Only a page that is no part of the largest one is compared further. */
async function expectSizes(t: CheckContext, list: Listing, first: Exchange): Promise<void> {
  const { default: usual, max } = list.paging
  const ids = list.ids(await list.page({ per_page: max }))
  const one = { per_page: 1 }
  const second = list.ids(await t.read(list.request({ ...one, page: 2 })))
  if (!sameIds(second, ids.slice(1, 2))) await expectSameItems(t, list, { per_page: 2 }, [one, { ...one, page: 2 }], 2)
  if (!sameIds(list.ids(first), ids.slice(0, usual))) await expectSameItems(t, list, {}, [{ per_page: usual }], usual)
  const half = { per_page: Math.floor(max / 2) }
  if (ids.length !== max) await expectSameItems(t, list, { per_page: max }, [half, { ...half, page: 2 }], max)
  const page = await t.read(list.request({ per_page: max + 1 }))
  const count = list.ids(page).length
  if (count > max) t.deviation({ expected: `at most ${max} events`, actual: `${count} events`, exchanges: [page] })
  t.examined(count > 1 ? count : 0)
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
  if (same(ids, result)) return
  const expected = `at most ${size} events, those of ${others.map(asWritten).join(' and ')}`
  t.deviation({ expected, actual: `${ids.length} events instead of ${idsOf(result).length}`, exchanges: [page, ...result] })
}
