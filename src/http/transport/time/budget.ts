import { setMaxListeners } from 'node:events'
import { NoResponse, NotSent } from '../../exchange/no-response.ts'
import { type Clock, systemClock } from './clock.ts'

/** The longest time of a Node timer. Milliseconds. */
const longestTimer = 2 ** 31 - 1

/** The time of a run. A wait of the run uses its clock, and a request its signal. Both end at the deadline. */
export interface Budget {
  /** The clock of the run. A sleep beyond the deadline ends there, and rejects with `NotSent`. */
  readonly clock: Clock
  /** Aborted at the deadline with a `NotSent`, or earlier together with the signal of the user. */
  readonly signal: AbortSignal
  /** Stops the timer of the deadline. */
  stop(): void
}

/** The times of a budget. */
export interface BudgetTimes {
  /** The duration (`limits.runMinutes`); no limit where absent. */
  readonly minutes: number | undefined
  /** The begin by the clock. Milliseconds. */
  readonly begun: number
  readonly clock: Clock
}

/** A budget with a begin, which ends after its minutes or when `interruption` is aborted. */
export function beginBudget(
  { minutes = Number.POSITIVE_INFINITY, begun, clock }: BudgetTimes,
  interruption?: AbortSignal,
): Budget {
  const deadline = begun + minutes * 60_000
  const ended = new AbortController()
  const { signal } = ended
  // Each request and each wait listens to the signal. The slots bound their number.
  setMaxListeners(0, signal)
  const reason = new NotSent({ code: 'time-limit' })
  let timer: NodeJS.Timeout | undefined
  const remaining = () => deadline - clock.now()
  // A virtual clock is at its deadline sooner or later than the timer.
  const watch = () => {
    if (remaining() <= 0) ended.abort(reason)
    else timer = setTimeout(watch, Math.min(Math.ceil(remaining()), longestTimer)).unref()
  }
  const interrupt = () => ended.abort(interruption?.reason)
  if (interruption?.aborted) interrupt()
  else watch()
  interruption?.addEventListener('abort', interrupt)
  const sleep: Clock['sleep'] = async (milliseconds, signal) => {
    await clock.sleep(Math.min(milliseconds, remaining()), signal)
    if (milliseconds <= 0 || remaining() > 0) return
    ended.abort(reason)
    throw reason
  }
  const stop = () => {
    clearTimeout(timer)
    interruption?.removeEventListener('abort', interrupt)
  }
  return { clock: { now: () => clock.now(), sleep }, signal, stop }
}

/** Settles like the work, or rejects with the reason of the signal if that is aborted before. */
export async function unlessEnded<Result>(signal: AbortSignal, work: Promise<Result>) {
  const settled = new AbortController()
  const ended = new Promise<never>((_, reject) => {
    const end = () => reject(signal.reason)
    if (signal.aborted) end()
    signal.addEventListener('abort', end, { signal: settled.signal })
  })
  return Promise.race([work, ended]).finally(() => settled.abort())
}

/** The time in which interrupted work may remove its objects. Milliseconds. */
export const cancelGrace = 300

/** The time in which work may remove its objects after its deadline. Milliseconds. */
export const lateGrace = 3000

/** Works within a budget of the system's clock. At its end, the work may remove its objects, and the result is that of `late`. */
export async function withinBudget<Result>(
  times: Omit<BudgetTimes, 'clock'>,
  interruption: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
  late: () => Result,
) {
  const { signal, stop } = beginBudget({ ...times, clock: systemClock }, interruption)
  const working = work(signal)
  try {
    return await unlessEnded(signal, working)
  } catch (error) {
    if (!signal.aborted) throw error
    const grace = interruption.aborted ? cancelGrace : lateGrace
    const settled = new AbortController()
    await Promise.race([working, systemClock.sleep(grace, settled.signal)]).catch(() => {})
    settled.abort()
    return late()
  } finally {
    stop()
  }
}

/** Works with a signal that is aborted after `time` milliseconds, or together with the signal of the run and for the same reason. */
export async function withDeadline<Result>(
  time: number,
  run: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
  late?: Error,
) {
  run?.throwIfAborted()
  const ended = new AbortController()
  const end = () =>
    ended.abort(
      late ?? new NoResponse(`no complete response within ${time / 1000} s`, { timedOut: true }),
    )
  const timer = setTimeout(end, time)
  const interrupt = () => ended.abort(run?.reason)
  run?.addEventListener('abort', interrupt)
  try {
    return await work(ended.signal)
  } finally {
    clearTimeout(timer)
    run?.removeEventListener('abort', interrupt)
  }
}
