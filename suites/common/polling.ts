import { anonymous, type Caller } from '../../src/http/exchange/caller.ts'
import type { Exchange } from '../../src/http/exchange/exchange.ts'
import type { Endpoint } from '../../src/spec/endpoints.ts'
import { isLatest } from '../../src/spec/versions.ts'
import type { Check, Operation } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { type ListAddress, Listing } from '../../src/suite/listing.ts'
import { itemsOf, type Located } from '../../src/suite/located.ts'
import { type NeedMap, quota, type Resolved } from '../../src/suite/needs.ts'
import { moment } from '../../src/suite/observe.ts'
import type { PollSession, QuotaCost } from '../../src/suite/poll-session.ts'
import { unknownName } from './names.ts'
import {
  hasMoved,
  movedBetween,
  notModified,
  type Polled,
  pollApart,
  pollAt,
  pollAtRest,
  pollLater,
} from './polls.ts'
import { unlessUntested } from './proof.ts'
import { type RepositoryKind, repositoryOf } from './repositories.ts'

/** The forms of the headers that polling depends on (document: Polling rules; readings B3, B4, B6). */
const forms = {
  ETag: { name: 'a quoted entity tag', pattern: /^(W\/)?"[^"]*"$/ },
  'Last-Modified': {
    name: 'an HTTP date',
    pattern: /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  },
}
const seconds = { name: 'an integer number of seconds', pattern: /^[0-9]+$/ }

type FurtherNeed = 'empty-organization' | 'empty-repository'

/** A list that is polled with validators. */
export interface PolledList<Needs extends NeedMap> extends Polled {
  readonly at: (needs: Resolved<Needs>) => ListAddress
  /** The requirement: `polling.etag` or `polling.last-modified`. */
  readonly requirement: string
  /** The endpoint whose other responses in this run are judged as well, for every caller (readings B5, B14). */
  readonly recorded?: Endpoint
  /** Needs whose objects the provider may create. The list changes when they appear, so the check waits before it polls. */
  readonly also?: NeedMap
  /** Needs that name further lists of the endpoint, which are polled as well. */
  readonly further?: readonly FurtherNeed[]
  /** Further kinds of repositories whose lists are polled as well. */
  readonly kinds?: readonly RepositoryKind[]
  /** True for an item that even an older copy of the list must contain. */
  readonly isOld?: (item: Located) => boolean
}

/** The checks of a polled list. All of them are judged on two conditional polls (readings B11). */
export function pollingChecks<Needs extends NeedMap>(
  operation: Operation<Needs>,
  list: PolledList<Needs>,
) {
  const {
    at,
    validator,
    requirement,
    recorded,
    also,
    isOld = () => false,
    further = [],
    kinds = [],
  } = list
  const isTag = validator.response === 'ETag'
  const form = forms[validator.response]
  const afterwards = recorded ? ({ schedule: 'afterwards' } as const) : {}
  const claim = (
    aspect: string,
    title: string,
    own: Partial<Pick<Check, 'requirement' | 'level' | 'schedule' | 'slow' | 'also' | 'asks'>>,
    judge: (t: CheckContext, address: ListAddress) => Promise<void>,
  ) =>
    operation.check(aspect, title, { requirement, ...own }, (t, resolved) => judge(t, at(resolved)))
  const polls = (t: CheckContext, address: ListAddress) =>
    isLatest(t)
      ? pollApart(t, validator, { ...address, query: { page: 1 } })
      : pollAt(t, validator, address)
  const unmodified = async (t: CheckContext, address: ListAddress) =>
    notModified(t, (await polls(t, address)).session)
  // An empty list has nothing to date (readings B7).
  const isDated = (page: Exchange) => isTag || page.count > 0
  const datedPage = async (t: CheckContext, address: ListAddress) => {
    const page = await new Listing(t, address).page()
    return isDated(page)
      ? page
      : t.untested('the list is empty, so no Last-Modified is required', 'unread-thread')
  }

  return [
    claim(
      isTag ? 'etag' : 'last-modified',
      `sends ${form.name} as ${validator.response}`,
      afterwards,
      async (t, address) => {
        const pages = [await datedPage(t, address), ...servedPages(t, recorded).filter(isDated)]
        for (const page of pages) t.expect(page).header(validator.response, form)
      },
    ),
    claim(
      'poll-interval',
      'sends the poll interval as an integer number of seconds',
      { requirement: 'polling.interval', ...afterwards },
      async (t, address) => {
        const pages = [await new Listing(t, address).page(), ...servedPages(t, recorded)]
        for (const page of pages) t.expect(page).header('X-Poll-Interval', seconds)
      },
    ),
    claim(
      'foreign-validator',
      `returns 200 for ${validator.request} with the validator of another list`,
      // This check sends the first poll, and the next poll must wait for the poll interval.
      { slow: true, ...(also && { also }) },
      async (t, address) => {
        const page = await datedPage(t, address)
        if (also) await moment(t, 'the given data to be listed')
        const [{ listing, session }, later] = await Promise.all([
          polls(t, address),
          pollLater(t, list, address),
        ])
        t.expect(session.first).status(200).array()
        const isFilled = (each: Exchange) => itemsOf(each).some(isOld)
        const isServed =
          session.first.count > 0 || !isFilled(page) || !isFilled(await listing.freshPage())
        t.expect(session.first, page).satisfy('the items of the list', isServed, 'an empty list')
        if (later?.session.tries.some(({ source }) => source.count > 0))
          t.expect(later.session.first).status(200).array()
        // The control: the target returns 304 for its own validator.
        notModified(t, session)
      },
    ),
    claim(
      'not-modified',
      `returns 304 for an unchanged list when its ${validator.response} is sent back verbatim`,
      { requirement: 'polling.not-modified', asks: further },
      async (t, address) => {
        await new Listing(t, address).page()
        await expectUnchanged(t, list, address, await polls(t, address))
        await expectLaterUnchanged(t, list, address)
        for (const name of further)
          await unlessUntested(expectUnchangedToo(t, list, address, t.ask(name, {})))
        for (const kind of kinds)
          await unlessUntested(expectUnchangedToo(t, list, address, repositoryOf(t, kind)))
      },
    ),
    claim(
      'not-modified-empty',
      'sends no body with 304',
      { requirement: 'polling.not-modified' },
      async (t, address) => void t.expect(await unmodified(t, address)).noBody(),
    ),
    claim(
      'not-modified-poll-interval',
      'sends the poll interval with 304 as well',
      { requirement: 'polling.interval-on-304', level: 'should' },
      async (t, address) =>
        void t.expect(await unmodified(t, address)).header('X-Poll-Interval', seconds),
    ),
    claim(
      'not-modified-free',
      'keeps the remaining rate limit unchanged for a 304',
      { requirement: 'polling.not-modified-free', also: { quota: quota() } },
      async (t, address) => {
        await expectFree(t, (await polls(t, address)).session)
        const later = await pollLater(t, list, address)
        if (later) await unlessUntested(expectFree(t, later.session))
      },
    ),
  ]
}

/** The recorded pages of an endpoint, without empty later pages, wrong numbers and unknown names (readings A2, A6, C13). */
function servedPages(t: CheckContext, endpoint: Endpoint | undefined) {
  const isPolled = ({ request: { url }, count }: Exchange) =>
    !url.includes(unknownName) &&
    (!/[?&]page=/.test(url) || (count > 0 && !/[?&]page=(?![1-9]\d*(&|$))/.test(url)))
  return (endpoint ? t.recorded(endpoint) : []).filter(
    (page) => page.status === 200 && page.ok && isPolled(page),
  )
}

/**
 * Expects that a 304 costs no quota. A probe reads the quota, once alone and once around a poll. One measurement with equal costs
 * proves a free 304. A counted 304 needs agreement of all patient measurements, with 0 or 1 as the cost of a probe alone.
 * Otherwise the check is untested: another program may use the quota, or the counter may be late (readings B10, G16).
 */
async function expectFree(t: CheckContext, session: PollSession) {
  const response = notModified(t, session)
  const costs: readonly QuotaCost[] =
    session.quota ?? t.untested('the remaining rate limit could not be read')
  const { alone: [alone = 0] = [], around = 0 } = costs.at(-1) ?? {}
  if (costs.some((cost) => [cost.around, ...cost.alone].some((spent) => spent < 0)))
    t.untested('the rate limit was reset during the measurement')
  const patient = costs.filter((cost) => cost.patient)
  const judged = around > alone ? patient : costs.slice(-1)
  const isSteady = judged.every(
    (cost) => cost.around === around && cost.alone.every((spent) => spent === alone),
  )
  if (around < alone || !isSteady || (around > alone && (alone > 1 || patient.length < 2)))
    t.untested(
      'the remaining rate limit falls by different amounts: it is counted late, or another program uses it as well',
    )
  t.expect(response).satisfy(
    `the remaining rate limit to fall by ${alone}, for its own reading, around a 304`,
    around <= alone,
    `it fell by ${around}`,
  )
}

/** The check that callers without a token receive the validator, the poll interval and 304 as well (readings B14). */
export function anonymousPollingCheck<Needs extends NeedMap>(
  operation: Operation<Needs>,
  list: PolledList<Needs>,
) {
  const { validator, requirement } = list
  return operation.check(
    'anonymous-polling',
    `sends ${validator.response} and poll interval to anonymous callers and returns 304 to them`,
    { requirement, slow: true },
    async (t, resolved) => {
      const usual = list.at(resolved)
      const listing = new Listing(t, { ...usual, as: anonymous })
      await new Listing(t, usual).page()
      const page = await t.read(listing.request())
      if (page.status !== 200) t.untested(`an anonymous request returns ${page.status}`)
      t.expect(page)
        .header(validator.response, forms[validator.response])
        .header('X-Poll-Interval', seconds)
      // The check of the usual reader measures the quota. If that reader is anonymous, both share one poll session.
      const session = await t.poll(listing.request(), validator, {
        unmeasured: usual.as.secret !== undefined,
      })
      t.expect(session.first).status(200).array()
      await expectUnchanged(t, list, usual, { listing, session })
      await expectLaterUnchanged(t, list, { ...usual, as: anonymous })
    },
  )
}

/** Expects 304 for an unchanged list. A new validator may mean a change on another page (readings B2). */
async function expectUnchanged(
  t: CheckContext,
  { validator, whole = (own) => own }: Polled,
  address: ListAddress,
  { listing, session: { tries, isRepeated } }: Awaited<ReturnType<typeof pollAt>>,
) {
  const last = tries.at(-1) ?? t.untested(`the response has no ${validator.response} to send back`)
  const unmodified = tries.findLast(({ response }) => response.status === 304)
  if (hasMoved(listing, tries)) {
    t.expect(unmodified?.response ?? t.untested(movedBetween)).status(304)
    return
  }
  const isCurrent = ({ source, response }: PollSession['tries'][number]) =>
    response.header(validator.response) === source.header(validator.response)
  // The target may reject every request for this list as spam (document: Errors, 422).
  if (last.response.status === 422 && (await t.send(listing.request())).status === 422)
    t.untested('the list is rejected (422)')
  const claimsChange =
    isRepeated && last.response.status === 200 && last.response.isList && !tries.every(isCurrent)
  t.expect(
    claimsChange
      ? await pollAtRest(t, listing, validator, last.response, new Listing(t, whole(address)))
      : last.response,
  ).status(304)
}

/** Expects 304 for another list of the endpoint, if one is known. */
async function expectUnchangedToo(
  t: CheckContext,
  list: Polled,
  usual: ListAddress,
  found: Promise<(object & { readonly as?: Caller }) | undefined>,
) {
  const place = await found
  if (!place) return
  const { as = usual.as, ...params } = place
  const address = { ...usual, params, as }
  const polls = await pollAt(t, list.validator, address, { unmeasured: true, bare: true })
  await expectUnchanged(t, list, address, polls)
}

/** Expects 304 for an unchanged page 2, if there is one. */
async function expectLaterUnchanged(t: CheckContext, list: Polled, address: ListAddress) {
  const later = await pollLater(t, list, address)
  if (!later) return
  await unlessUntested(expectUnchanged(t, list, address, later))
  const [first] = later.session.tries
  // An anonymous caller sends no foreign validator here, so that this second poll delays no run.
  if (!first || address.as.secret !== undefined) return
  const response = await t.pollAgain(
    later.listing.request(),
    list.validator,
    String(first.source.header(list.validator.response)),
  )
  await unlessUntested(
    expectUnchanged(t, list, address, {
      ...later,
      session: { ...later.session, tries: [{ ...first, response }] },
    }),
  )
}
