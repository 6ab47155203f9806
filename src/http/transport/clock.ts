import { setTimeout as delay } from 'node:timers/promises'

/**
 * The only source of waiting and of elapsed time: poll intervals, back-off, deadlines and request spacing.
 * Instants that are sent to a target or compared with its data never come from here (they come from the target).
 */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves after `milliseconds`; rejects with the signal's reason when it is aborted first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

/** The instant at which the monotonic clock, which all threads of the process share, was at zero. Milliseconds since the epoch. */
const zero = Date.now() - monotonic()

function monotonic(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000
}

/** The machine's clock as it was when the process began, moved by a monotonic one: a correction of the time of day shortens no wait. */
export const systemClock: Clock = {
  now: () => zero + monotonic(),
  sleep: (milliseconds, signal) => delay(Math.max(0, milliseconds), undefined, signal ? { signal } : {}),
}

/** A clock for proofs: sleeping takes no time but moves the clock, so that a minute's interval costs nothing. */
export class VirtualClock implements Clock {
  #now: number

  constructor(start: number) {
    this.#now = start
  }

  now(): number {
    return this.#now
  }

  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    const wake = this.#now + Math.max(0, milliseconds)
    await delay(0)
    this.#now = Math.max(this.#now, wake)
    signal?.throwIfAborted()
  }
}
