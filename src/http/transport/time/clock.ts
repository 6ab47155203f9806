import { setTimeout as delay } from 'node:timers/promises'
import { currentScope } from './scope.ts'

/** The source of all waits and of all measured times. Dates in requests and in comparisons come from the target instead. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves after `milliseconds`; rejects with the signal's reason when it is aborted first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

/** The start of the monotonic clock, which all threads share, as a time of day. Milliseconds since the epoch. */
const zero = Date.now() - monotonic()

function monotonic(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000
}

/** The time of day when the process began, plus the monotonic time since then: a correction of the machine's clock shortens no wait. */
export const systemClock: Clock = {
  now: () => zero + monotonic(),
  sleep: (milliseconds, signal) => delay(Math.max(0, milliseconds), undefined, signal ? { signal } : {}),
}

/** A virtual clock with a time for each scope: checks that run side by side in a replay do not move each other's time. */
export class ScopeClock implements Clock {
  readonly #startedAt: number
  readonly #elapsed: Map<string, number>

  /** `elapsed` contains the time from `startedAt` to the beginning of each scope; 0 for those that it lacks. Milliseconds. */
  constructor(startedAt: number, elapsed: Map<string, number>) {
    this.#startedAt = startedAt
    this.#elapsed = elapsed
  }

  now(): number {
    return this.#startedAt + (this.#elapsed.get(currentScope()) ?? 0)
  }

  /** Moves the time of the current scope forward to `elapsed` milliseconds after the start. */
  reach(elapsed: number): void {
    this.#elapsed.set(currentScope(), Math.max(elapsed, this.now() - this.#startedAt))
  }

  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    this.reach(this.now() - this.#startedAt + Math.max(0, milliseconds))
  }
}
