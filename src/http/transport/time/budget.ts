import { NotSent } from '../../exchange/no-response.ts'
import type { Clock } from './clock.ts'

/** The longest time of a Node timer. Milliseconds. */
const longestTimer = 2 ** 31 - 1

/** The time of a run: everything that waits listens to its signal or to its clock, and ends at the deadline at the latest. */
export interface Budget {
  /** The clock of the run. A sleep beyond the deadline ends there, and rejects with `NotSent`. */
  readonly clock: Clock
  /** Stops the timer of the deadline. */
  stop(): void
}

/** Makes a budget. `end` is called once at the deadline (milliseconds of the clock), with a `NotSent` as the reason. */
export function budgetUntil(
  deadline: number,
  clock: Clock,
  end: (reason: NotSent) => void,
): Budget {
  const reason = new NotSent({ code: 'time-limit' })
  let timer: NodeJS.Timeout | undefined
  const remaining = () => deadline - clock.now()
  // A virtual clock is at its deadline sooner or later than the timer.
  const watch = () => {
    if (remaining() <= 0) end(reason)
    else timer = setTimeout(watch, Math.min(Math.ceil(remaining()), longestTimer)).unref()
  }
  watch()
  const sleep: Clock['sleep'] = async (milliseconds, signal) => {
    await clock.sleep(Math.min(milliseconds, remaining()), signal)
    if (milliseconds <= 0 || remaining() > 0) return
    end(reason)
    throw reason
  }
  return { clock: { now: () => clock.now(), sleep }, stop: () => clearTimeout(timer) }
}
