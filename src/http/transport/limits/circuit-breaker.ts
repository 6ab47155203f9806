import type { NoResponse } from '../../exchange/no-response.ts'

/** The most unanswered requests in a row to one endpoint. */
const endpointLimit = 4

/** The most unanswered requests in a row to a target that responded before, and the fewest endpoints among them. */
const targetLimit = { requests: 8, endpoints: 3 }

/** How often a silent target or endpoint receives another request. Milliseconds. */
const probeInterval = 2000

/** Multiples of the time-out: how long a silent target gets further requests, and how long one request with its repeats takes. */
const timeouts = { silence: 6, request: 3 }

/** A silent endpoint or target: the error, and the time of its next request. */
interface Silence {
  readonly error: NoResponse
  readonly since: number
  next: number
}

/** Stops requests to a silent target or endpoint, except one in each interval (readings G9). All times are in milliseconds. */
export class CircuitBreaker {
  readonly #timeout: number
  readonly #open = new Map<string, Silence>()
  /** Unanswered requests in a row, by endpoint. */
  readonly #missed = new Map<string, number>()
  readonly #silentEndpoints = new Set<string>()
  /** The target responded before and is silent. */
  #silence: Silence | undefined
  /** The error that ended all requests. */
  #targetError: NoResponse | undefined
  #hasSucceeded = false
  #missedInARow = 0
  #firstMissed = 0

  constructor(timeout: number) {
    this.#timeout = timeout
  }

  /** The time that a request waits for a silent target. In each interval one request does not wait, so that the end of the silence is noticed. */
  waitFor(now: () => number): number {
    const silence = this.#silence
    if (!silence || this.#targetError) return 0
    const time = now()
    if (time - silence.since > timeouts.silence * this.#timeout) this.#targetError = silence.error
    else if (time < silence.next) return silence.next - time
    silence.next = time + this.#intervalAfter(silence.error)
    return 0
  }

  /** True before the first response, after a lost request to this endpoint, and after any lost request since the last response. */
  hasMissed(endpoint: string): boolean {
    return !this.#hasSucceeded || this.#missedInARow > 0 || this.#missed.has(endpoint)
  }

  /** The error that stopped requests to an endpoint; undefined while requests may be sent. */
  errorFor(endpoint: string, now: () => number): NoResponse | undefined {
    if (this.#targetError) return this.#targetError
    const silence = this.#open.get(endpoint)
    const isStopped = silence !== undefined && !this.#silence && !this.#mayProbe(silence, now)
    return isStopped ? silence.error : undefined
  }

  /** Records a response of any status. */
  recordSuccess(endpoint: string): void {
    if (this.#silence) this.#open.clear()
    this.#silence = undefined
    this.#hasSucceeded = true
    this.#missedInARow = 0
    this.#silentEndpoints.clear()
    this.#missed.delete(endpoint)
    this.#open.delete(endpoint)
  }

  /** Records a request that was given up. */
  recordFailure(endpoint: string, error: NoResponse, now: () => number): void {
    const time = now()
    // A server that is starting responds with a temporary error.
    if (!this.#hasSucceeded && error.traits.status !== undefined) return
    // An oversized response costs the most, and the next one is hardly smaller.
    const missed = (this.#missed.get(endpoint) ?? 0) + (error.traits.final ? 2 : 1)
    this.#missed.set(endpoint, missed)
    if (this.#missedInARow === 0) this.#firstMissed = time
    this.#missedInARow += 1
    this.#silentEndpoints.add(endpoint)
    const silence = { error, since: this.#firstMissed, next: time + this.#intervalAfter(error) }
    if (!this.#hasSucceeded || missed >= endpointLimit) this.#open.set(endpoint, silence)
    if (!this.#isTargetGone(error)) return
    if (this.#hasSucceeded) this.#silence ??= silence
    else this.#targetError = error
  }

  /** A request that ran into a time-out or received too much would cost as much again. */
  #mayProbe(silence: Silence, now: () => number): boolean {
    const { timedOut, final } = silence.error.traits
    if (!this.#hasSucceeded || timedOut || final || now() < silence.next) return false
    silence.next = now() + probeInterval
    return true
  }

  #intervalAfter({ traits }: NoResponse): number {
    return traits.timedOut ? timeouts.request * this.#timeout : probeInterval
  }

  #isTargetGone({ traits }: NoResponse): boolean {
    const { size } = this.#silentEndpoints
    if (this.#hasSucceeded) return this.#missedInARow >= targetLimit.requests && size >= targetLimit.endpoints
    return traits.unreachable === true || traits.malformed === true || size > 1
  }
}
