import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import type { Clock } from './clock.ts'

/** The start of virtual clocks in tests. Milliseconds. */
export const scriptedStart = Date.UTC(2026, 10, 20, 12)

/** A clock for tests: a sleep moves the clock forward and takes no time. */
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
    // A timer alone leaves requests in flight only one turn of the event loop on a busy machine.
    for (let turn = 0; turn < 60; turn += 1) await setImmediate()
    this.#now = Math.max(this.#now, wake)
    signal?.throwIfAborted()
  }
}
