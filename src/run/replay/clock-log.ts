import type { Clock } from '../../http/transport/clock.ts'
import type { LaneName } from '../../record/lane-name.ts'
import type { ClockLine } from './format.ts'
import type { Places } from './places.ts'
import type { Turns } from './turns.ts'

interface ScopeTimes {
  /** Milliseconds since the run began. */
  readonly read: number[]
  /** When waits ended, among all events. */
  readonly woke: number[]
}

/** What each scope of a lane read from the clock, so that a replay decides by the same instants whether a wait is over. */
export class ClockLog {
  readonly #lane: LaneName
  readonly #startedAt: number
  readonly #places: Pick<Places, 'scope'>
  readonly #event: () => number
  readonly #scopes = new Map<string, ScopeTimes>()

  /** `startedAt` in milliseconds since the epoch; `event` counts the events of the run. */
  constructor(lane: LaneName, startedAt: number, places: Pick<Places, 'scope'>, event: () => number) {
    this.#lane = lane
    this.#startedAt = startedAt
    this.#places = places
    this.#event = event
  }

  /** A clock that is written down. */
  recording(clock: Clock): Clock {
    return {
      now: () => {
        // In whole milliseconds, which add up again exactly.
        const now = Math.floor(clock.now())
        this.#times.read.push(now - this.#startedAt)
        return now
      },
      sleep: async (milliseconds, signal) => {
        const times = this.#times
        await clock.sleep(milliseconds, signal)
        times.woke.push(this.#event())
      },
    }
  }

  lines(): ClockLine[] {
    return [...this.#scopes].map(([scope, { read, woke }]) => ({
      type: 'clock',
      lane: this.#lane,
      scope,
      read: read.map((time, index) => time - (read[index - 1] ?? 0)),
      woke,
    }))
  }

  get #times(): ScopeTimes {
    const { scope } = this.#places
    const known = this.#scopes.get(scope) ?? { read: [], woke: [] }
    this.#scopes.set(scope, known)
    return known
  }
}

/** The clock of a recorded run: each scope reads the instants that it read then, and no wait takes time. */
export function recordedClock(
  lines: readonly ClockLine[],
  startedAt: number,
  places: Pick<Places, 'scope'>,
  turns: Turns,
): Clock {
  const scopes = new Map(
    lines.map(({ scope, read, woke }) => [scope, { read: read.values(), woke: woke.values(), now: startedAt }]),
  )
  const times = () => {
    const known = scopes.get(places.scope) ?? { read: [].values(), woke: [].values(), now: startedAt }
    scopes.set(places.scope, known)
    return known
  }
  // The differences count from the beginning of the run; what was not read then is as late as the last wait.
  const exact = new Map<object, number>()
  return {
    now: () => {
      const scope = times()
      const { value } = scope.read.next()
      if (value === undefined) return scope.now
      const elapsed = (exact.get(scope) ?? 0) + value
      exact.set(scope, elapsed)
      scope.now = startedAt + elapsed
      return scope.now
    },
    sleep: async (milliseconds, signal) => {
      const scope = times()
      scope.now += Math.max(0, milliseconds)
      await turns.take(scope.woke.next().value)
      signal?.throwIfAborted()
    },
  }
}
