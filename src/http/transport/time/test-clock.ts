import { setTimeout as delay } from 'node:timers/promises'
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
    this.#now = Math.max(this.#now, wake)
    signal?.throwIfAborted()
  }
}
