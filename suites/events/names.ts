import type { Exchange } from '../../src/http/exchange/exchange.ts'
import { redirectTarget } from '../../src/http/exchange/redirect.ts'
import type { Check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { itemsOf } from '../../src/suite/located.ts'
import type { NeedMap, Resolved } from '../../src/suite/needs.ts'
import { counted } from '../../src/text/format.ts'
import { swapCase, unknownName } from '../common/names.ts'
import { type Feed, open, openAt } from './feed.ts'

/** Letter case in a path parameter makes no difference: a must where the document states it, elsewhere expected (readings C15). */
export function caseCheck<Needs extends NeedMap>(feed: Feed<Needs>, parameter: string, level: 'must' | 'should'): Check {
  const own = { requirement: 'events.feeds.case-insensitive', level }
  return feed.check(`case-of-${parameter}`, `ignores the letter case of {${parameter}}`, own, async (t, needs) => {
    const original = await open(t, feed, needs).page()
    const value = String(feed.at(needs).params?.[parameter])
    if (swapCase(value) === value) t.untested(`the value of {${parameter}} has no letters`)
    const answer = await readRenamed(t, feed, needs, parameter, swapCase(value))
    if (redirectTarget(answer)?.sameOrigin === false) return t.examined(1)
    t.expect(answer).status(200).array()
    expectEventsToo(t, original, answer)
    // The control: where every name has the same events, the letters of a name have no meaning (readings G15).
    const unknown = await readRenamed(t, feed, needs, parameter, unknownName)
    if (unknown.ok && itemsOf(unknown).length > 0) t.untested('a name that does not exist has events as well')
  })
}

function expectEventsToo(t: CheckContext, original: Exchange, answer: Exchange): void {
  if (itemsOf(original).length === 0)
    t.untested('the feed is empty, so it cannot be distinguished from the feed of an unknown name')
  t.expect(answer, original).satisfy('the events of the same feed', itemsOf(answer).length > 0, 'an empty array')
}

/** The feed of a name that does not exist contains no event: it is refused, or empty (readings C13). */
export function unknownNameCheck<Needs extends NeedMap>(feed: Feed<Needs>, parameter: string): Check {
  const title = `returns no event for a {${parameter}} that does not exist`
  return feed.check(`unknown-${parameter}`, title, 'events.feeds.path', async (t, needs) => {
    const original = await open(t, feed, needs).page()
    const answer = await readRenamed(t, feed, needs, parameter, unknownName)
    if (answer.status === 200 && itemsOf(original).length === 0) t.untested('the feed of the existing name is empty as well')
    const count = answer.status === 200 ? itemsOf(answer).length : 0
    const failed = answer.status >= 500
    const actual = failed ? String(answer.status) : counted(count, 'event')
    t.expect(answer).satisfy('a rejection or an empty list', count === 0 && !failed, actual)
  })
}

/** Reads the feed with another value of one path parameter. */
export function readRenamed<Needs extends NeedMap>(
  t: CheckContext,
  feed: Feed<Needs>,
  needs: Resolved<Needs>,
  parameter: string,
  value: string,
): Promise<Exchange> {
  const address = feed.at(needs)
  return t.read(openAt(t, feed, { ...address, params: { ...address.params, [parameter]: value } }).request())
}
