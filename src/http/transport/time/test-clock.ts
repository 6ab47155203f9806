import { subscribe } from 'node:diagnostics_channel'
import { setMaxListeners } from 'node:events'
import { type Clock, type InFlight, requests } from './clock.ts'
import { nextTurn } from './timers.ts'

/** The start of virtual clocks in tests. Milliseconds. */
export const scriptedStart = Date.UTC(2026, 10, 20, 12)

/** So many turns of the event loop without a request show that the process only sleeps. */
const quietTurns = 100

/** The requests of this thread that are in flight. */
const inFlight = new Set<InFlight>()
/** Called when the next request ends. */
const afterRequest: (() => void)[] = []

subscribe(requests.start.name, (request) => void inFlight.add(request as InFlight))
subscribe(requests.asyncEnd.name, (request) => {
  inFlight.delete(request as InFlight)
  for (const proceed of afterRequest.splice(0)) proceed()
})

interface Sleeper {
  readonly wakesAt: number
  readonly wake: () => void
}

/** A clock for tests. It moves to the earliest end of a sleep when no request of its client or of a provider is in flight. */
export class VirtualClock implements Clock {
  #now: number
  #isMoving = false
  readonly #sleepers = new Set<Sleeper>()

  constructor(start: number) {
    this.#now = start
  }

  now() {
    return this.#now
  }

  async sleep(milliseconds: number, signal?: AbortSignal) {
    signal?.throwIfAborted()
    // Many checks sleep under the signal of one run.
    if (signal) setMaxListeners(0, signal)
    await new Promise<void>((resolve) => {
      const sleeper = {
        wakesAt: this.#now + Math.max(0, milliseconds),
        wake: () => this.#end(sleeper, resolve, signal),
      }
      this.#sleepers.add(sleeper)
      signal?.addEventListener('abort', sleeper.wake)
      void this.#move()
    })
    signal?.throwIfAborted()
  }

  #end(sleeper: Sleeper, resolve: () => void, signal: AbortSignal | undefined) {
    this.#sleepers.delete(sleeper)
    signal?.removeEventListener('abort', sleeper.wake)
    resolve()
  }

  /** Wakes the sleepers in the order of their ends, until none is left. */
  async #move() {
    if (this.#isMoving) return
    this.#isMoving = true
    for (;;) {
      await this.#quiet()
      if (this.#sleepers.size === 0) break
      this.#now = Math.min(...[...this.#sleepers].map(({ wakesAt }) => wakesAt))
      for (const { wakesAt, wake } of this.#sleepers) {
        if (wakesAt <= this.#now) wake()
      }
    }
    this.#isMoving = false
  }

  /** Resolves when only sleepers are left. */
  async #quiet() {
    for (let turn = 0; turn < quietTurns; turn += 1) {
      await nextTurn()
      if (!this.#isBusy()) continue
      await new Promise<void>((resolve) => afterRequest.push(resolve))
      turn = -1
    }
  }

  #isBusy() {
    return [...inFlight].some(({ clock = this }) => clock === this)
  }
}
