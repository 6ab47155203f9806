import type { Exchange } from './exchange.ts'

/** How often one request is sent before it counts as unanswered (readings G9). */
export const attempts = 3

/** Statuses that mean "not now" and do not judge the request (readings G9). */
export const transientStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** True for a response that means "not now": a transient status, or a 403 because of the request rate (readings H6). */
export function isThrottled(answer: Exchange): boolean {
  return transientStatuses.has(answer.status) || answer.throttled
}

const backOff = [300, 1200]

/** Milliseconds to wait before the next attempt; `tried` counts from 1. */
export function delayBefore(tried: number, retryAfter: string | undefined, date: string | undefined): number {
  return retryAfterDelay(retryAfter, date) ?? backOff[tried - 1] ?? 1200
}

/** A Retry-After header in milliseconds; its date form is relative to the Date header of the same response. */
export function retryAfterDelay(retryAfter: string | undefined, date: string | undefined): number | undefined {
  if (retryAfter === undefined) return undefined
  if (/^\d+$/.test(retryAfter.trim())) return Number(retryAfter) * 1000
  const until = Date.parse(retryAfter) - Date.parse(date ?? '')
  return Number.isFinite(until) ? Math.max(0, until) : undefined
}
