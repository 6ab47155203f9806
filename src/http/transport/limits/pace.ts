import type { Clock } from '../time/clock.ts'

/** Limits on the requests to a target. */
export interface PaceLimits {
  /** Requests in flight at most. */
  readonly concurrency: number
  readonly requestsPerSecond: number
}

/** After this time without a throttled request, a slowed target gets one more request at once. Milliseconds. */
const recovery = 10_000

/** Keeps at most `concurrency` requests in flight, evenly spaced to `requestsPerSecond`, and none beside an exclusive section. */
export class Pace {
  readonly #limits: PaceLimits
  /** The present limit of the requests in flight. */
  #concurrency: number
  #changedAt = Number.NEGATIVE_INFINITY
  readonly #clock: Clock
  readonly #signal: AbortSignal | undefined
  #inFlight = 0
  #nextStart = 0
  #exclusive = false
  readonly #waiting: { readonly inside: boolean; readonly go: () => void }[] = []
  readonly #sections: (() => void)[] = []
  #drained = () => {}

  /** `signal` ends the wait for a turn, with its reason. */
  constructor(limits: PaceLimits, clock: Clock, signal?: AbortSignal) {
    this.#limits = limits
    this.#concurrency = limits.concurrency
    this.#clock = clock
    this.#signal = signal
  }

  /** Runs one request when the limits permit, in the order of arrival. `inside` marks requests of the exclusive section. */
  async run<Result>(request: () => Promise<Result>, inside = false) {
    if (this.#permits(inside)) this.#inFlight += 1
    else await new Promise<void>((go) => this.#waiting.push({ inside, go }))
    try {
      const now = this.#clock.now()
      const start = Math.max(now, this.#nextStart)
      this.#nextStart = start + 1000 / this.#limits.requestsPerSecond
      if (start - now >= 1) await this.#clock.sleep(start - now, this.#signal)
      return await request()
    } finally {
      this.#inFlight -= 1
      if (this.#concurrency < this.#limits.concurrency)
        this.#change(recovery, this.#concurrency + 1)
      this.#proceed()
    }
  }

  /** Runs a section during which only its own requests are in flight. Sections run one after the other. */
  async exclusively<Result>(section: () => Promise<Result>) {
    if (this.#exclusive) await new Promise<void>((resolve) => this.#sections.push(resolve))
    this.#exclusive = true
    try {
      if (this.#inFlight > 0) await new Promise<void>((resolve) => (this.#drained = resolve))
      return await section()
    } finally {
      this.#exclusive = false
      this.#proceed()
      const next = this.#sections.shift()
      this.#exclusive = next !== undefined
      next?.()
    }
  }

  /** Halves the number of concurrent requests, at most once a second. For a target that states no wait, or throttles again after the stated wait. */
  slowDown() {
    this.#change(1000, Math.floor(this.#concurrency / 2))
  }

  /** Changes the limit of the requests in flight, at most once in `pause` milliseconds. */
  #change(pause: number, to: number) {
    const now = this.#clock.now()
    if (now - this.#changedAt < pause) return
    this.#changedAt = now
    this.#concurrency = Math.max(1, to)
  }

  #permits(inside: boolean) {
    return this.#inFlight < this.#concurrency && (inside || !this.#exclusive)
  }

  #proceed() {
    for (;;) {
      const next = this.#waiting.findIndex(({ inside }) => this.#permits(inside))
      if (next < 0) break
      this.#inFlight += 1
      this.#waiting.splice(next, 1)[0]?.go()
    }
    if (this.#inFlight === 0) this.#drained()
  }
}
