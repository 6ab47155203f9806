import { anonymous } from '../../src/http/exchange/caller.ts'
import type { Exchange } from '../../src/http/exchange/exchange.ts'
import type { Endpoint } from '../../src/spec/endpoint.ts'
import { type Check, check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { type ListAddress, Listing, type Walk } from '../../src/suite/listing.ts'
import { isObject, itemsOf } from '../../src/suite/located.ts'
import { type NeedMap, quota, type Resolved } from '../../src/suite/needs.ts'
import type { PollSession, Validator } from '../../src/suite/poll-session.ts'
import type { QuotaCost } from '../../src/suite/quota-measurement.ts'

/** The forms of the headers that polling rests on (document: Polling rules; readings B3, B4, B6). */
const forms = {
  ETag: { name: 'a quoted entity tag', pattern: /^(W\/)?"[^"]*"$/ },
  'Last-Modified': {
    name: 'an HTTP date',
    pattern: /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  },
} as const
const seconds = { name: 'an integer number of seconds', pattern: /^[0-9]+$/ }

/** A list that is polled with validators. */
export interface PolledList<Needs extends NeedMap> {
  readonly id: string
  readonly needs: Needs
  readonly at: (needs: Resolved<Needs>) => ListAddress
  readonly validator: Validator
  /** Prefix of the requirements: `polling.etag` or `polling.last-modified`. */
  readonly requirement: string
  /** Where the interval is judged on every first page that the run has read, whoever read it, and the validator on those of the usual reader (readings B5, B14). */
  readonly seen?: Endpoint
  /** What its validator may be of: the list itself where it says nothing. */
  readonly whole?: (list: ListAddress) => ListAddress
}

/** What polling a list must show; all of it is judged on two conditional polls (readings B11). */
export function pollingChecks<const Needs extends NeedMap>(list: PolledList<Needs>): Check[] {
  const { id, needs, validator, requirement } = list
  const header = validator.response === 'ETag' ? 'etag' : 'last-modified'
  const poll = (t: CheckContext, resolved: Resolved<Needs>) => {
    const listing = new Listing(t, list.at(resolved))
    return t.poll(listing.request(), validator)
  }
  // An empty list has nothing that a date could be of (readings B7).
  const datedPage = async (t: CheckContext, resolved: Resolved<Needs>) => {
    const page = await new Listing(t, list.at(resolved)).page()
    const dated = validator.response === 'ETag' || itemsOf(page).length > 0
    return dated ? page : t.untested('the list is empty, so no Last-Modified is required', 'unread-thread')
  }

  return [
    check({
      id: `${id}.${header}`,
      requirement,
      level: 'must',
      title: `sends ${forms[validator.response].name} as ${validator.response}`,
      needs,
      ...(list.seen ? { schedule: 'afterwards' } : {}),
      run: async (t, resolved) => {
        const page = await datedPage(t, resolved)
        const own = firstPages(t, list.seen).filter(({ request }) => request.as === page.request.as)
        const dated = own.filter((each) => validator.response === 'ETag' || itemsOf(each).length > 0)
        for (const each of [page, ...dated]) t.expect(each).header(validator.response, forms[validator.response])
      },
    }),
    check({
      id: `${id}.poll-interval`,
      requirement: 'polling.interval',
      level: 'must',
      title: 'sends the poll interval as an integer number of seconds',
      needs,
      ...(list.seen ? { schedule: 'afterwards' } : {}),
      run: async (t, resolved) => {
        const page = await new Listing(t, list.at(resolved)).page()
        for (const each of [page, ...firstPages(t, list.seen)]) t.expect(each).header('X-Poll-Interval', seconds)
      },
    }),
    check({
      id: `${id}.foreign-validator`,
      requirement,
      level: 'must',
      title: `returns 200 for ${validator.request} with the validator of another list`,
      needs,
      // It opens the session of polls, which waits for the interval.
      slow: true,
      run: async (t, resolved) => {
        await datedPage(t, resolved)
        const session = await poll(t, resolved)
        t.expect(session.first).status(200).array()
        // Where no validator is understood, the one of another list is not told apart.
        notModified(t, session)
      },
    }),
    check({
      id: `${id}.not-modified`,
      requirement: 'polling.not-modified',
      level: 'must',
      title: `returns 304 for an unchanged list when its ${validator.response} is sent back verbatim`,
      needs,
      run: async (t, resolved) => {
        const listing = new Listing(t, list.at(resolved))
        await listing.page()
        await unchanged(t, listing, validator, await poll(t, resolved), whole(t, list, resolved))
      },
    }),
    check({
      id: `${id}.not-modified-empty`,
      requirement: 'polling.not-modified',
      level: 'must',
      title: 'sends no body with 304',
      needs,
      run: async (t, resolved) => {
        t.expect(notModified(t, await poll(t, resolved))).noBody()
      },
    }),
    check({
      id: `${id}.not-modified-poll-interval`,
      requirement: 'polling.interval-on-304',
      level: 'should',
      title: 'sends the poll interval with 304 as well',
      needs,
      run: async (t, resolved) => {
        t.expect(notModified(t, await poll(t, resolved))).header('X-Poll-Interval', seconds)
      },
    }),
    check({
      id: `${id}.not-modified-free`,
      requirement: 'polling.not-modified-free',
      level: 'must',
      title: 'keeps the remaining rate limit unchanged for a 304',
      needs,
      also: { quota: quota() },
      run: async (t, resolved) => {
        const session = await poll(t, resolved)
        const answer = notModified(t, session)
        const { alone, around } = steadyCost(t, session.quota ?? t.untested('the remaining rate limit could not be read'))
        if (around > alone) {
          const expected = `the remaining rate limit to fall by ${alone} (its own probe) around a 304`
          t.deviation({ expected, actual: `it fell by ${around}`, exchanges: [answer] })
        }
        t.examined(1)
      },
    }),
  ]
}

/** The first pages of an endpoint that the run has read so far: what is polled. */
function firstPages(t: CheckContext, endpoint: Endpoint | undefined): Exchange[] {
  const read = endpoint ? t.recorded(endpoint) : []
  return read.filter(({ status, request }) => status === 200 && !/[?&]page=/.test(request.url))
}

/**
 * What a probe costs alone and around a poll. Ends the check as untested unless all measurements agree: whoever else uses the
 * token spends the same quota, and would be taken for the cost of the 304 (readings B10).
 */
function steadyCost(t: CheckContext, costs: readonly QuotaCost[]): { alone: number; around: number } {
  const last = costs.at(-1)
  const [alone = 0] = last?.alone ?? []
  const around = last?.around ?? 0
  if (costs.some((cost) => [cost.around, ...cost.alone].some((spent) => spent < 0)))
    t.untested('the rate limit was reset during the measurement')
  // One measurement shows that a 304 was free; that it was counted takes all of them.
  const judged = around > alone ? costs : costs.slice(-1)
  if (around < alone || !judged.every((cost) => isCost(cost, alone, around)))
    t.untested('the remaining rate limit falls by different amounts, so another program uses it as well')
  return { alone, around }
}

function isCost(cost: QuotaCost, alone: number, around: number): boolean {
  return cost.around === around && cost.alone.every((spent) => spent === alone)
}

/** Only a readable list shows that it moved; a 200 without one is no answer to a poll (readings B2). */
function hasMoved(listing: Listing, tries: PollSession['tries']): boolean {
  const readable = tries.every(({ answer }) => answer.status === 200 && Array.isArray(answer.json))
  return readable && tries.some(({ source, answer }) => !listing.same(source, answer))
}

/** Feeds are polled by whoever may read them: validators and the interval are sent to callers without a token too (readings B14). */
export function anonymousPollingCheck<const Needs extends NeedMap>(list: PolledList<Needs>): Check {
  const { id, needs, validator, requirement } = list
  return check({
    id: `${id}.anonymous-polling`,
    requirement,
    level: 'must',
    title: `sends ${validator.response} and poll interval to anonymous callers and returns 304 to them`,
    needs,
    slow: true,
    run: async (t, resolved) => {
      const listing = new Listing(t, { ...list.at(resolved), as: anonymous })
      const page = await t.read(listing.request())
      if (page.status !== 200) t.untested(`an anonymous request returns ${page.status}`)
      t.expect(page).header(validator.response, forms[validator.response]).header('X-Poll-Interval', seconds)
      // The quota is measured for the usual reader, which may be nobody as well.
      const unmeasured = list.at(resolved).as.secret !== undefined
      const session = await t.poll(listing.request(), validator, { unmeasured })
      t.expect(session.first).status(200).array()
      await unchanged(t, listing, validator, session, whole(t, list, resolved))
    },
  })
}

function whole<const Needs extends NeedMap>(t: CheckContext, list: PolledList<Needs>, needs: Resolved<Needs>): Listing {
  const address = list.at(needs)
  return new Listing(t, list.whole?.(address) ?? address)
}

/** An unchanged list is answered 304. Another validator says that something changed, on another page perhaps (readings B2). */
async function unchanged(
  t: CheckContext,
  listing: Listing,
  validator: Validator,
  { tries }: PollSession,
  all: Listing,
): Promise<void> {
  const last = tries.at(-1) ?? t.untested(`the response has no ${validator.response} to send back`)
  if (hasMoved(listing, tries)) t.untested('the list changed between the conditional requests')
  const isCurrent = ({ source, answer }: PollSession['tries'][number]) =>
    answer.header(validator.response) === source.header(validator.response)
  // A list may be rejected as spam, whatever the request (document: Errors, 422).
  if (last.answer.status === 422 && (await t.send(listing.request())).status === 422) t.untested('the list is rejected (422)')
  const saysMore = last.answer.status === 200 && Array.isArray(last.answer.json) && !tries.every(isCurrent)
  t.expect(saysMore ? await polledAtRest(t, listing, validator, last.answer, all) : last.answer).status(304)
}

/** The last answer to polls between two equal walks of all that the validator may be of. Ends the check as untested where that moved. */
async function polledAtRest(
  t: CheckContext,
  listing: Listing,
  validator: Validator,
  latest: Exchange,
  all: Listing,
): Promise<Exchange> {
  const before = await all.walk({ fresh: true })
  let answer = latest
  for (let polls = 0; polls < pollsAtRest && answer.status !== 304; polls += 1) {
    const shown = answer.header(validator.response) ?? (await listing.freshPage()).header(validator.response)
    const value = shown ?? t.untested(`the response has no ${validator.response} to send back`)
    answer = await t.pollAgain(listing.request(), validator, value)
  }
  if (answer.status === 304) return answer
  const after = await all.walk({ fresh: true })
  const rests = !before.cut && !after.cut && stateOf(before) === stateOf(after)
  return rests ? answer : t.untested('the list changed between the conditional requests, or is too long to tell')
}

/** The first one sends a validator from before the walk, the others only what the list at rest gave. */
const pollsAtRest = 3

/** What moves a validator: other items, or a notification on a known thread. */
function stateOf({ items, ids }: Walk): string {
  return JSON.stringify([ids, items.map(({ value }) => isObject(value) && [value.updated_at, value.last_read_at, value.unread])])
}

function notModified(t: CheckContext, session: PollSession) {
  const last = session.tries.at(-1)
  return last?.answer.status === 304 ? last.answer : t.untested('no conditional request returned 304')
}
