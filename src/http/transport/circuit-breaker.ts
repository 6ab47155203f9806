import type { NoAnswer } from '../exchange/no-answer.ts'

/** The most unanswered requests in a row to one endpoint. */
const endpointLimit = 4

/** The most unanswered requests in a row to a target that responded before, and the fewest endpoints among them. */
const targetLimit = { requests: 8, endpoints: 3 }

/** Stops requests to a silent target or endpoint, so that a run does not wait for one time-out after the other. */
export class CircuitBreaker {
  readonly #open = new Map<string, NoAnswer>()
  /** Unanswered requests in a row, by endpoint. */
  readonly #missed = new Map<string, number>()
  readonly #silentEndpoints = new Set<string>()
  #targetError: NoAnswer | undefined
  #hasSucceeded = false
  #missedInARow = 0

  /** The error that stopped requests to an endpoint; undefined while requests may be sent. */
  errorFor(endpoint: string): NoAnswer | undefined {
    return this.#targetError ?? this.#open.get(endpoint)
  }

  /** Records a response of any status. */
  succeeded(endpoint: string): void {
    this.#hasSucceeded = true
    this.#missedInARow = 0
    this.#silentEndpoints.clear()
    this.#missed.delete(endpoint)
  }

  /** Records a request that was given up. */
  failed(endpoint: string, error: NoAnswer): void {
    // An oversized response costs the most, and the next one is hardly smaller.
    const missed = (this.#missed.get(endpoint) ?? 0) + (error.traits.final ? 2 : 1)
    this.#missed.set(endpoint, missed)
    this.#missedInARow += 1
    this.#silentEndpoints.add(endpoint)
    if (!this.#hasSucceeded || missed >= endpointLimit) this.#open.set(endpoint, error)
    if (this.#isTargetGone(error)) this.#targetError = error
  }

  #isTargetGone({ traits }: NoAnswer): boolean {
    const { size } = this.#silentEndpoints
    if (this.#hasSucceeded) return this.#missedInARow >= targetLimit.requests && size >= targetLimit.endpoints
    return traits.unreachable === true || traits.malformed === true || size > 1
  }
}
