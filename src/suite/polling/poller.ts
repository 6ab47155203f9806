import type { Client } from '../../http/client.ts'
import type { Exchange } from '../../http/exchange/exchange.ts'
import { NoResponse } from '../../http/exchange/no-response.ts'
import { isRedirect } from '../../http/exchange/redirect.ts'
import type { RequestSpec } from '../../http/exchange/request-spec.ts'
import {
  attempts,
  delayBefore,
  isRestarting,
  isTransient,
  outages,
  patientAttempts,
} from '../../http/exchange/retry.ts'
import type { Clock } from '../../http/transport/time/clock.ts'
import { nextTurn } from '../../http/transport/time/timers.ts'
import type { PollTimes } from '../../http/transport/traffic.ts'
import { remembered } from '../../text/data.ts'
import { Deviation } from '../deviation.ts'
import type { PollSession, PollTry, QuotaCost, QuotaProbe, Validator } from '../poll-session.ts'
import { Untested } from '../untested.ts'
import { isFree, type MeasuredPoll, type Measuring, measurePolls } from './quota.ts'

/** The client, the clock and the settings of a poller. */
export interface PollerOptions {
  readonly client: Client
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly obey: boolean
  readonly maxWaitSeconds: number
  readonly quota?: QuotaProbe | undefined
  /** Waits so many seconds for the interval of an address. */
  readonly pause: (what: string, seconds: number) => Promise<void>
}

/** The polls without 304 of a first session, and of a session that confirms it: a changed list rightly has a new validator (readings B2). */
const tries = { first: 1, again: 2 }

/** How a session of polls is made. */
export interface SessionOptions {
  /** The cost of the polls is not measured. */
  readonly unmeasured?: boolean
  /** No poll has a foreign validator. */
  readonly bare?: boolean
  /** The session confirms that an earlier one received no 304. */
  readonly confirms?: boolean
}

/** The number of patient measurements after a poll that seems to cost quota: others may use the token too. */
const measurements = 2

/** Assumed until a target has sent a usable X-Poll-Interval. Seconds. */
const unknownInterval = 1

/** Polls addresses with validators and keeps the poll interval of the target. Checks share one poll session for each address and caller. */
export class Poller {
  readonly #options: PollerOptions
  /** The times of each address in this version. */
  readonly #times: PollTimes = { turns: new Map(), intervals: new Map() }
  /** The times of each path in all versions, for a target that counts their polls together. */
  readonly #pathTimes: PollTimes
  /** The paths and callers for which the target throttled a poll of another address or version. */
  readonly #strict: Set<string>
  readonly #sessions = new Map<string, Promise<PollSession>>()
  /** The next measurement, for all polls that wait until it begins. */
  #next: Measurement | undefined
  /** An earlier measurement found out that the target's quota counter reports requests late. */
  #isCounterLate = false

  constructor(options: PollerOptions) {
    this.#options = options
    this.#pathTimes = options.client.traffic.polls
    this.#strict = options.client.traffic.strictPolls
  }

  /**
   * The shared poll session of an address: foreign validator (unless `bare`), interval, verbatim validator. The first caller decides
   * whether it is `unmeasured`. A session that confirms another one polls twice, so that it costs one interval.
   */
  session(spec: RequestSpec, validator: Validator, options: SessionOptions = {}) {
    const { unmeasured = false, bare = false, confirms = false } = options
    const key = `${addressKey(spec)} ${confirms}`
    const probe = unmeasured ? undefined : this.#options.quota
    const open = () =>
      this.#open(spec, validator, probe, bare || confirms, confirms ? tries.again : tries.first)
    return remembered(this.#sessions, key, open)
  }

  /** One conditional poll, after the interval since the previous poll of this address by this caller in this version. */
  async poll(spec: RequestSpec, validator: Validator, value: string) {
    return (await this.#polled(conditional(spec, validator, value), undefined)).response
  }

  async #open(
    spec: RequestSpec,
    validator: Validator,
    probe: QuotaProbe | undefined,
    bare: boolean,
    most: number,
  ) {
    const { client } = this.#options
    const first = bare
      ? await client.read(spec)
      : await this.poll(spec, validator, validator.foreign)
    let source = first.status === 304 ? await client.send(spec) : first
    const made: PollTry[] = []
    const quota: QuotaCost[] = []
    const probes: Exchange[] = []
    let unmeasured = 0
    for (let changed = 0; changed < most; ) {
      const value = source.header(validator.response)
      if (source.status !== 200 || value === undefined) break
      const how =
        quota.length > 0 || this.#isCounterLate ? 'patient' : made.length > 0 ? 'alone' : 'together'
      const polled = await this.#polled(
        conditional(at(spec, source), validator, value),
        probe && { probe, how },
      )
      const { response, isSettled, cost, ...rest } = polled
      made.push({ source, response })
      probes.push(...rest.probes)
      if (response.status === 304) {
        if (isSettled && cost) quota.push(cost)
        unmeasured += isSettled ? 0 : 1
        // Measuring ends when one measurement finds the poll free, or enough patient ones find that it costs quota.
        const isMeasuredAgain =
          !quota.some(isFree) && quota.filter((each) => each.patient).length < measurements
        if (isSettled ? quota.length > 0 && isMeasuredAgain : unmeasured < measurements + 1)
          continue
      }
      if (response.status !== 200) break
      changed += 1
      // The list has changed, so the next poll sends its new validator.
      source = response
    }
    this.#isCounterLate ||= quota.length > 1 && quota.slice(-1).every(isFree)
    return {
      first,
      tries: made,
      probes,
      isRepeated: most > tries.first,
      ...(quota.length > 0 ? { quota } : {}),
    }
  }

  /** One conditional poll in its turn, measured where there is a probe. */
  async #polled(request: RequestSpec, measuring: Measuring | undefined) {
    const polled = await this.#inTurn(request, async () => {
      if (measuring) return this.#measured(request, measuring)
      return {
        response: await this.#options.client.send(request, { once: true, tapped: true }),
        probes: [],
        isSettled: true,
      }
    })
    refuseUnjudgeable(polled.response)
    return polled
  }

  /** Measures a poll while no other requests are in flight, except polls that wait at the same time. */
  async #measured(request: RequestSpec, measuring: Measuring) {
    const { client } = this.#options
    const joins = measuring.how === 'together'
    const begin = async () => {
      // Another check may send its poll right after the response for which this section waited. That poll joins the measurement.
      await nextTurn()
      if (joins) this.#next = undefined
      const polls = measurePolls(this.#options, measuring, requests)
      await Promise.allSettled(polls)
      return polls
    }
    const known = joins ? this.#next : undefined
    const requests = known?.requests ?? []
    const { polls } = known ?? { polls: client.gate.pace.exclusively(begin) }
    if (joins) this.#next = { requests, polls }
    const place = requests.push(request) - 1
    return (await polls)[place] as Promise<MeasuredPoll>
  }

  /**
   * One poll in its turn. Each address and version has turns of its own (readings B11). A target that throttles such a poll counts
   * them together: its polls of one path by one caller then share their turns.
   */
  async #inTurn(spec: RequestSpec, poll: () => Promise<MeasuredPoll>) {
    const path = pathKey(spec)
    const isStrict = this.#strict.has(path)
    const polled = await this.#turn(spec, isStrict, poll)
    if (isStrict || !polled.response.throttled) return polled
    this.#strict.add(path)
    return this.#turn(spec, true, poll)
  }

  /** Serialises the polls of one address, or of one path, and keeps the interval between them. */
  async #turn(spec: RequestSpec, isStrict: boolean, poll: () => Promise<MeasuredPoll>) {
    const { clock } = this.#options
    const { turns, intervals } = isStrict ? this.#pathTimes : this.#times
    const key = isStrict ? pathKey(spec) : addressKey(spec)
    const before = turns.get(key)
    let done = () => {}
    turns.set(key, new Promise((resolve) => (done = resolve)))
    try {
      await before
      const started = clock.now()
      for (let tried = 1; ; tried += 1) {
        await this.#keepInterval(spec, intervals.get(key)?.due ?? 0)
        // The target may count a poll whose response is lost.
        const polled = await poll().finally(() => this.#remember(spec, undefined, tried))
        this.#remember(spec, polled.response, tried)
        const most = isRestarting(polled.response, clock.now() - started)
          ? patientAttempts
          : attempts
        const { status, throttled, broken } = polled.response
        if (
          tried >= most ||
          !(outages.has(status) || (throttled && isStrict) || (broken && tried === 1))
        )
          return polled
      }
    } finally {
      done()
    }
  }

  async #keepInterval(spec: RequestSpec, due: number) {
    const { clock, obey, maxWaitSeconds, pause } = this.#options
    const wait = due - clock.now()
    if (!obey || wait <= 0) return
    const seconds = Math.ceil(wait / 1000)
    if (seconds > maxWaitSeconds) {
      const need = 'polling.maxWaitSeconds'
      const sentence = `the target asks for ${seconds} s between polls, but ${need} allows only ${maxWaitSeconds}`
      throw new Untested(sentence, [
        { need, kind: 'limit', how: `set ${need} to ${seconds} or more` },
      ])
    }
    await pause(`the poll interval of ${spec.path ?? spec.endpoint.path}`, wait / 1000)
  }

  #remember(spec: RequestSpec, response: Exchange | undefined, tried: number) {
    const stated = Number.parseInt(response?.header('x-poll-interval') ?? '', 10)
    const pause = response && isTransient(response) ? delayBefore(tried, response) : 0
    const remember = ({ intervals }: PollTimes, key: string) => {
      const seconds = stated >= 0 ? stated : (intervals.get(key)?.seconds ?? unknownInterval)
      intervals.set(key, {
        seconds,
        due: this.#options.clock.now() + Math.max(1000 * seconds, pause),
      })
    }
    remember(this.#times, addressKey(spec))
    remember(this.#pathTimes, pathKey(spec))
  }
}

/** A throttled response to our own quick repeat does not judge the target (readings G9, H6), and a redirect does not judge the list. */
function refuseUnjudgeable(response: Exchange) {
  if (isRedirect(response)) throw new Untested('the conditional request was redirected')
  const { status, throttled, request } = response
  if (status === 403 && !throttled)
    throw Object.assign(new Untested('the conditional request returned 403: it is not permitted'), {
      exchange: response,
    })
  if (isTransient(response)) {
    const traits = { status, ...(throttled ? { throttled: { caller: request.as } } : {}) }
    throw new NoResponse(
      `the conditional request returned ${status}${throttled ? ', too many requests' : ''}`,
      traits,
    )
  }
  if (response.broken)
    throw new Deviation({
      expected: '200 or 304 for a conditional request',
      actual: String(response.status),
      exchanges: [response],
    })
}

function conditional(spec: RequestSpec, validator: Validator, value: string) {
  return { ...spec, headers: { ...spec.headers, [validator.request]: value } }
}

/** The address of the list after its redirects, which would otherwise count in the measurement. */
function at(spec: RequestSpec, { request: { url, redirectedFrom } }: Exchange) {
  return redirectedFrom === undefined ? spec : { ...spec, url, redirectedFrom }
}

function pathKey(spec: RequestSpec) {
  return JSON.stringify([spec.path ?? spec.endpoint.path, spec.params, spec.as.label])
}

function addressKey(spec: RequestSpec) {
  return `${pathKey(spec)} ${JSON.stringify(spec.query ?? {})}`
}

/** The polls of one measurement. */
interface Measurement {
  readonly requests: RequestSpec[]
  readonly polls: Promise<readonly Promise<MeasuredPoll>[]>
}
