import type { Exchange } from '../../src/http/exchange/exchange.ts'
import { redirectTarget } from '../../src/http/exchange/redirect.ts'
import { type Check, check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { itemsOf } from '../../src/suite/located.ts'
import type { NeedMap } from '../../src/suite/needs.ts'
import { counted } from '../../src/text/counted.ts'
import { swapCase, unknownName } from '../common/names.ts'
import { type Feed, type FeedAddress, open, openAt } from './feed.ts'

/** Letter case in a path parameter makes no difference: a must where the document says so, elsewhere expected (readings C15). */
export function caseCheck<const Needs extends NeedMap>(feed: Feed<Needs>, parameter: string, level: 'must' | 'should'): Check {
  return check({
    id: `${feed.id}.case-of-${parameter}`,
    requirement: 'events.feeds.case-insensitive',
    level,
    title: `ignores the letter case of {${parameter}}`,
    needs: feed.needs,
    run: async (t, needs) => {
      const original = await open(t, feed, needs).page()
      const changed = openAt(t, feed, renamed(feed.at(needs), parameter, swapCase))
      if (sameAddress(feed.at(needs), parameter, swapCase)) t.untested(`the value of {${parameter}} has no letters`)
      const answer = await t.read(changed.request())
      if (redirectTarget(answer)?.sameOrigin === false) return t.examined(1)
      t.expect(answer).status(200).array()
      showsEventsToo(t, original, answer)
      await tellsNamesApart(t, feed, feed.at(needs), parameter)
    },
  })
}

/** The control: where every name has the same events, its letters say nothing (readings G15). */
async function tellsNamesApart<Needs extends NeedMap>(
  t: CheckContext,
  feed: Feed<Needs>,
  address: FeedAddress,
  parameter: string,
): Promise<void> {
  const unknown = await t.read(
    openAt(
      t,
      feed,
      renamed(address, parameter, () => unknownName),
    ).request(),
  )
  if (unknown.ok && itemsOf(unknown).length > 0) t.untested('a name that does not exist has events as well')
}

function showsEventsToo(t: CheckContext, original: Exchange, answer: Exchange): void {
  if (itemsOf(original).length === 0)
    t.untested('the feed is empty, so it cannot be distinguished from the feed of an unknown name')
  if (itemsOf(answer).length === 0) {
    t.deviation({ expected: 'the events of the same feed', actual: 'an empty array', exchanges: [original, answer] })
  }
  t.examined(1)
}

/** A feed of something that does not exist shows no event: refused, or empty (readings C13). */
export function unknownNameCheck<const Needs extends NeedMap>(feed: Feed<Needs>, parameter: string): Check {
  return check({
    id: `${feed.id}.unknown-${parameter}`,
    requirement: 'events.feeds.path',
    level: 'must',
    title: `returns no event for a {${parameter}} that does not exist`,
    needs: feed.needs,
    run: async (t, needs) => {
      const original = await open(t, feed, needs).page()
      const answer = await t.read(
        openAt(
          t,
          feed,
          renamed(feed.at(needs), parameter, () => unknownName),
        ).request(),
      )
      if (answer.status === 200 && itemsOf(original).length === 0) t.untested('the feed of the existing name is empty as well')
      noEvents(t, answer)
    },
  })
}

function noEvents(t: CheckContext, answer: Exchange): void {
  const shown = answer.status === 200 ? itemsOf(answer).length : 0
  const failed = answer.status >= 500
  if (shown > 0 || failed) {
    const actual = failed ? String(answer.status) : counted(shown, 'event')
    t.deviation({ expected: 'a rejection or an empty list', actual, exchanges: [answer] })
  }
  t.examined(1)
}

/** An address with another value for one path parameter. */
export function renamed(address: FeedAddress, parameter: string, change: (value: string) => string): FeedAddress {
  return { ...address, params: { ...address.params, [parameter]: change(String(address.params?.[parameter])) } }
}

function sameAddress(address: FeedAddress, parameter: string, change: (value: string) => string): boolean {
  return change(String(address.params?.[parameter])) === address.params?.[parameter]
}
