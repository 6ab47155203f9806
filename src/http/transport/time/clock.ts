import { tracingChannel } from 'node:diagnostics_channel'
import { setTimeout as delay } from 'node:timers/promises'

/** The source of all waits and of all measured times. Dates in requests and in comparisons come from the target instead. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves after `milliseconds`; rejects with the signal's reason when it is aborted first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

/** A request in flight. One to the provider has no clock. */
export interface InFlight {
  readonly clock?: Clock
}

/** Traces each request until its response has been read. A virtual clock stands still meanwhile. */
export const requests = tracingChannel<InFlight>('service-conformance:request')

/** The start of the monotonic clock, which all threads share, as a time of day. Milliseconds since the epoch. */
const zero = Date.now() - monotonic()

function monotonic() {
  return Number(process.hrtime.bigint() / 1000n) / 1000
}

/** The time of day when the process began, plus the monotonic time since then: a correction of the machine's clock shortens no wait. */
export const systemClock: Clock = {
  now: () => zero + monotonic(),
  sleep: async (milliseconds, signal) => {
    try {
      await delay(Math.max(0, milliseconds), undefined, signal ? { signal } : {})
    } catch (error) {
      signal?.throwIfAborted()
      throw error
    }
  },
}
