import type { Client } from '../http/client.ts'
import { Exchange } from '../http/exchange/exchange.ts'
import { NoAnswer } from '../http/exchange/no-answer.ts'
import { isRedirect } from '../http/exchange/redirect.ts'
import type { RequestSpec } from '../http/exchange/request-spec.ts'
import { attempts, retryAfterDelay, transientStatuses } from '../http/exchange/retry.ts'
import type { Draw, QuotaCost, QuotaProbe } from '../http/quota-probe.ts'
import type { Clock } from '../http/transport/clock.ts'
import type { PollTimes } from '../http/transport/traffic.ts'
import { Deviation } from './deviation.ts'
import { MeasuredPolls } from './measured-polls.ts'
import type { PollSession, PollTry, Validator } from './poll-session.ts'
import { Untested } from './untested.ts'

export interface PollerOptions {
  readonly client: Client
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly obey: boolean
  readonly maxWaitSeconds: number
  readonly quota?: QuotaProbe
  /** Which polls were measured together depends on who came first. */
  readonly draw?: Draw
  /** Told before every wait, for the progress display. */
  readonly onWait?: (what: string, seconds: number) => void
}

/** A moved list invalidates its validator rightly; this many tries must agree before it counts against the target (readings B2). */
const tries = 3

/** A poll that seems to be counted is measured as often: others may use the token meanwhile. */
const measurements = 3

/** Assumed while a target has not yet sent a usable X-Poll-Interval. Seconds. */
const unknownInterval = 1

/** Polls addresses with validators, keeping the interval that the target asks for. Each address is polled once per caller and shared. */
export class Poller {
  readonly #options: PollerOptions
  readonly #sessions = new Map<string, Promise<PollSession>>()
  readonly #measured: MeasuredPolls | undefined

  constructor(options: PollerOptions) {
    this.#options = options
    this.#measured = options.quota && new MeasuredPolls(options.client, options.quota, options.draw)
  }

  /** The shared poll session of an address: foreign validator, interval, verbatim validator. The first who asks decides whether it is `unmeasured`. */
  session(spec: RequestSpec, validator: Validator, { unmeasured = false } = {}): Promise<PollSession> {
    const key = pollKey(spec)
    const known = this.#sessions.get(key)
    if (known) return known
    const open = () => this.#open(spec, validator, unmeasured ? undefined : this.#measured)
    const session = this.#options.client.within(scopeOf(key), open)
    this.#sessions.set(key, session)
    return session
  }

  /** One conditional poll, after the interval since the last one of this address by this caller. */
  async poll(spec: RequestSpec, validator: Validator, value: string): Promise<Exchange> {
    const answer = await this.#inTurn(spec, () =>
      this.#options.client.send(conditional(spec, validator, value), { once: true, tapped: true }),
    )
    refuseUnjudgeable(answer)
    return answer
  }

  async #open(spec: RequestSpec, validator: Validator, measuring: MeasuredPolls | undefined): Promise<PollSession> {
    const { client } = this.#options
    const first = await this.poll(spec, validator, validator.foreign)
    let source = first.status === 304 ? await client.send(spec) : first
    const made: PollTry[] = []
    const quota: QuotaCost[] = []
    const probes: Exchange[] = []
    let unmeasured = 0
    while (made.length - unmeasured < tries) {
      const value = source.header(validator.response)
      if (source.status !== 200 || value === undefined) break
      const apart = unmeasured + quota.length > 0
      const { answer, ...measured } = measuring
        ? await this.#inTurn(spec, () => measuring.measure(conditional(spec, validator, value), scopeOf(pollKey(spec)), apart))
        : { answer: await this.poll(spec, validator, value), probes: [], share: { settled: true, quota: undefined } }
      refuseUnjudgeable(answer)
      made.push({ source, answer })
      probes.push(...measured.probes)
      const { settled, quota: cost } = measured.share
      if (settled && cost) quota.push(cost)
      if (answer.status === 304) {
        unmeasured += settled ? 0 : 1
        if (settled ? isCounted(cost) && quota.length < measurements : unmeasured < measurements) continue
      }
      if (answer.status !== 200) break
      // Whatever moved, moved the validator too: only the latest can be expected to hold.
      source = answer
    }
    return { first, tries: made, probes, ...(quota.length > 0 ? { quota } : {}) }
  }

  /** When whom may poll what: the same for all versions. */
  get #times(): PollTimes {
    return this.#options.client.traffic.polls
  }

  /** Serialises the polls of one address by one caller and keeps the interval between them. */
  async #inTurn<Result extends Exchange | { answer: Exchange }>(spec: RequestSpec, poll: () => Promise<Result>): Promise<Result> {
    const key = pollKey(spec)
    const before = this.#times.turns.get(key)
    let done = () => {}
    this.#times.turns.set(key, new Promise((resolve) => (done = resolve)))
    try {
      await before
      for (let tried = 1; ; tried += 1) {
        await this.#keepInterval(key, spec)
        const result = await poll()
        const answer = result instanceof Exchange ? result : result.answer
        this.#remember(key, answer)
        if (tried === attempts || answer.status === 429 || !transientStatuses.has(answer.status)) return result
      }
    } finally {
      done()
    }
  }

  async #keepInterval(key: string, spec: RequestSpec): Promise<void> {
    const { clock, signal, obey, maxWaitSeconds, onWait } = this.#options
    const { due, longest } = this.#times.intervals.get(key) ?? { due: 0, longest: 0 }
    // The instants of a replayed run come in the order of its checks, which may be another one.
    const wait = Math.min(due - clock.now(), longest)
    if (!obey) return
    if (wait <= 0) return
    const seconds = Math.ceil(wait / 1000)
    if (seconds > maxWaitSeconds) {
      throw new Untested(
        `the target asks for ${seconds} s between polls, but polling.maxWaitSeconds allows only ${maxWaitSeconds}`,
        [{ need: 'polling.maxWaitSeconds', how: `set polling.maxWaitSeconds to ${seconds} or more` }],
      )
    }
    onWait?.(`the poll interval of ${spec.path ?? spec.endpoint.path}`, seconds)
    await clock.sleep(wait, signal)
  }

  #remember(key: string, answer: Exchange): void {
    const stated = Number.parseInt(answer.header('x-poll-interval') ?? '', 10)
    const seconds = stated >= 0 ? stated : (this.#times.intervals.get(key)?.seconds ?? unknownInterval)
    const retryAfter = retryAfterDelay(answer.header('retry-after'), answer.header('date')) ?? 0
    const longest = Math.max(1000 * seconds, retryAfter)
    this.#times.intervals.set(key, { seconds, longest, due: this.#options.clock.now() + longest })
  }
}

/** True where a poll cost more than the probes beside it. */
function isCounted(cost: QuotaCost | undefined): boolean {
  return cost?.alone.some((alone) => cost.around > alone) ?? false
}

/** What follows our own quick repeat says nothing about the target (readings G9), nor does a redirect about the list. */
function refuseUnjudgeable(answer: Exchange): void {
  if (isRedirect(answer)) throw new Untested('the conditional request was redirected')
  if (answer.throttled || answer.status === 403) {
    throw new Untested(`the conditional request returned ${answer.status}: it was sent too soon or is not permitted`)
  }
  if (transientStatuses.has(answer.status)) {
    throw new NoAnswer(`the conditional request returned ${answer.status}`, { status: answer.status })
  }
  if (answer.broken) {
    throw new Deviation({ expected: '200 or 304 for a conditional request', actual: String(answer.status), exchanges: [answer] })
  }
}

function conditional(spec: RequestSpec, validator: Validator, value: string): RequestSpec {
  return { ...spec, headers: { ...spec.headers, [validator.request]: value } }
}

/** The name under which a record of the run keeps the polls of an address. */
function scopeOf(key: string): string {
  return `poll ${key}`
}

function pollKey(spec: RequestSpec): string {
  return JSON.stringify([spec.path ?? spec.endpoint.path, spec.params, spec.as.label])
}
