import type { NoAnswer } from '../exchange/no-answer.ts'

/** How many requests in a row an endpoint may leave unanswered before no more are sent to it. */
const endpointLimit = 4

/** How many requests in a row, to at least as many endpoints, a target that has answered before may leave unanswered. */
const targetLimit = { requests: 8, endpoints: 3 }

/**
 * Notices a target, or an endpoint of it, that answers no more, so that a run does not wait for one time-out after the other.
 * One endpoint that hangs costs the verdicts of that endpoint only.
 */
export class Silence {
  readonly #endpoints = new Map<string, NoAnswer>()
  /** Unanswered requests in a row, by endpoint. */
  readonly #missed = new Map<string, number>()
  #target: NoAnswer | undefined
  #answered = false
  #inARow = 0
  #silent = new Set<string>()

  /** Why nothing more is sent to an endpoint; undefined while it may answer. */
  of(endpoint: string): NoAnswer | undefined {
    return this.#target ?? this.#endpoints.get(endpoint)
  }

  /** Notes an answer, whatever it says. */
  heard(endpoint: string): void {
    this.#answered = true
    this.#inARow = 0
    this.#silent.clear()
    this.#missed.delete(endpoint)
  }

  /** Notes a request that was given up. */
  unheard(endpoint: string, error: NoAnswer): void {
    // What is too large to be read costs the most of all, and the next answer is hardly smaller.
    const missed = (this.#missed.get(endpoint) ?? 0) + (error.traits.final ? 2 : 1)
    this.#missed.set(endpoint, missed)
    this.#inARow += 1
    this.#silent.add(endpoint)
    if (!this.#answered || missed >= endpointLimit) this.#endpoints.set(endpoint, error)
    if (this.#isGone(error)) this.#target = error
  }

  #isGone(error: NoAnswer): boolean {
    if (!this.#answered) return error.traits.unreachable === true || error.traits.malformed === true || this.#silent.size > 1
    return this.#inARow >= targetLimit.requests && this.#silent.size >= targetLimit.endpoints
  }
}
