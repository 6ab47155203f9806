import { Exchange, isRepeatable, resetOf, type WireRequest } from './exchange.ts'
import { NoResponse } from './no-response.ts'

/** How often one request is sent before it counts as unanswered (readings G9). */
export const attempts = 3

/** How often one request is sent while the target throttles the caller (readings H6), or restarts after it has responded. */
export const patientAttempts = 5

/** The longest plausible time until a quota is reset. Milliseconds. */
const longestQuota = 24 * 3_600_000

/** The statuses of a gateway or content network without a responding server, and 408 for a request that arrived too slowly. */
export const outages: ReadonlySet<number> = new Set([
  408, 502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527, 530,
])

/** True for a response that does not judge the request (readings G9): an outage, a throttled caller (readings H6), or a first 500 for a GET (readings G3). */
export function isTransient({ status, throttled, broken, request }: Exchange, tried = attempts) {
  return outages.has(status) || throttled || (broken && tried === 1 && request.method === 'GET')
}

const backOff = [300, 1200, 2400, 4800]

/** The time that a throttled caller must wait. Undefined if the target states no plausible time (readings H6). Milliseconds. */
export function statedWait(response: Exchange, now: number): number | undefined {
  return (
    retryAfterDelay(response.header('retry-after'), response.header('date')) ??
    resetDelayOf(response, now)
  )
}

/** Milliseconds until a quota is reset; undefined without a plausible header. Of the waits by the target's clock and by ours, the longer one counts. */
export function resetDelayOf(response: Exchange, now: number): number | undefined {
  const reset = resetOf(response)
  if (reset === undefined) return undefined
  const clocks = [Date.parse(response.header('date') ?? ''), now].filter(Number.isFinite)
  const delay =
    reset * 1000 < longestQuota
      ? reset * 1000
      : Math.max(...clocks.map((time) => reset * 1000 - time))
  return delay > 0 && delay <= longestQuota ? delay : undefined
}

/** Milliseconds to wait before the next attempt: never less than Retry-After. `tried` counts from 1. Later waits have jitter. */
export function delayBefore(tried: number, result: Exchange | NoResponse) {
  const wait = (backOff[tried - 1] ?? 1200) * (tried < attempts ? 1 : 1 - Math.random() / 8)
  if (result instanceof NoResponse || result.broken) return wait
  return Math.max(wait, retryAfterDelay(result.header('retry-after'), result.header('date')) ?? 0)
}

/** About 30 years. A longer wait may end at no valid date. Milliseconds. */
const longestStated = 1e12

/** A Retry-After header in milliseconds; its date form is relative to the Date header of the same response. */
export function retryAfterDelay(
  retryAfter: string | undefined,
  date: string | undefined,
): number | undefined {
  if (retryAfter === undefined) return undefined
  if (/^\d+$/.test(retryAfter.trim())) return Math.min(Number(retryAfter) * 1000, longestStated)
  const until = Date.parse(retryAfter) - Date.parse(date ?? '')
  return Number.isFinite(until) ? Math.min(Math.max(0, until), longestStated) : undefined
}

/** True for a response that throttles its caller; false for a lost request. */
export function isThrottled(result: Exchange | NoResponse): result is Exchange {
  return result instanceof Exchange && result.throttled
}

/** Returns the error of a lost request, which may be repeated. Throws all others, such as that of a request beyond the quota of its caller. */
export function repeatable(error: unknown): NoResponse {
  if (error instanceof NoResponse && !error.traits.throttled) return error
  throw error
}

/** False for a lost request that may have had an effect, and for a response that exceeds a limit. */
export function mayRepeat({ method }: WireRequest, result: Exchange | NoResponse) {
  if (result instanceof Exchange) return true
  return !result.traits.final && (isRepeatable(method) || result.traits.unsent === true)
}

/** True in the first seconds of an outage: no server accepts connections, or a gateway has no server behind it. */
export function isRestarting(result: Exchange | NoResponse, elapsed: number) {
  const isAway =
    result instanceof NoResponse ? result.traits.unreachable === true : outages.has(result.status)
  return isAway && elapsed < 8000
}
