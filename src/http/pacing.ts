import type { Clock } from './clock.ts'

/** Limits on what is sent to a target. */
export interface PaceLimits {
  /** Requests in flight at most. */
  readonly concurrency: number
  readonly requestsPerSecond: number
}

/**
 * Lets requests through: at most `concurrency` in flight, evenly spaced to `requestsPerSecond`,
 * and none beside an exclusive section (which measures the quota).
 */
export class Pace {
  readonly #limits: PaceLimits
  #concurrency: number
  readonly #clock: Clock
  readonly #signal: AbortSignal | undefined
  #inFlight = 0
  #nextStart = 0
  #exclusive = false
  #waiting: (() => void)[] = []

  /** `signal` ends waiting for a turn to send, with its reason. */
  constructor(limits: PaceLimits, clock: Clock, signal?: AbortSignal) {
    this.#limits = limits
    this.#concurrency = limits.concurrency
    this.#clock = clock
    this.#signal = signal
  }

  /** Lets at most so many requests be in flight from now on. */
  narrow(concurrency: number): void {
    this.#concurrency = Math.min(this.#concurrency, concurrency)
  }

  /** Runs one request when the limits allow it. `inside` marks requests of the exclusive section itself. */
  async run<Result>(request: () => Promise<Result>, inside = false): Promise<Result> {
    while (this.#inFlight >= this.#concurrency || (this.#exclusive && !inside)) await this.#turn()
    this.#inFlight += 1
    try {
      await this.#space()
      return await request()
    } finally {
      this.#inFlight -= 1
      this.#wake()
    }
  }

  /** Runs a section during which only its own requests are in flight. */
  async exclusively<Result>(section: () => Promise<Result>): Promise<Result> {
    while (this.#exclusive) await this.#turn()
    this.#exclusive = true
    try {
      while (this.#inFlight > 0) await this.#turn()
      return await section()
    } finally {
      this.#exclusive = false
      this.#wake()
    }
  }

  async #space(): Promise<void> {
    const now = this.#clock.now()
    const start = Math.max(now, this.#nextStart)
    this.#nextStart = start + 1000 / this.#limits.requestsPerSecond
    if (start - now >= 1) await this.#clock.sleep(start - now, this.#signal)
  }

  #turn(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  #wake(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const resume of waiting) resume()
  }
}
