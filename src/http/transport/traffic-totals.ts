import type { EndpointTraffic, RequestTotals } from '../../record/exchange-record.ts'
import type { Method } from '../../spec/endpoints.ts'

/** Counts requests and responses, in total and by endpoint. */
export class TrafficTotals {
  readonly totals: RequestTotals = { sent: 0, shared: 0, byMethod: {}, writes: 0, bytes: 0 }
  readonly #byEndpoint = new Map<string, { bytes: number; readonly durations: number[] }>()

  /** Counts a request that is about to be sent. */
  sends(method: Method): void {
    this.totals.sent += 1
    this.totals.byMethod[method] = (this.totals.byMethod[method] ?? 0) + 1
    if (method !== 'GET') this.totals.writes += 1
  }

  /** Counts a response, with the bytes of its body and its duration in milliseconds. */
  answered(endpoint: string, bytes: number, duration: number): void {
    const known = this.#byEndpoint.get(endpoint) ?? { bytes: 0, durations: [] }
    this.#byEndpoint.set(endpoint, known)
    known.bytes += bytes
    known.durations.push(duration)
    this.totals.bytes += bytes
  }

  /** Response counts and times by endpoint, the most frequent one first. */
  byEndpoint(): EndpointTraffic[] {
    return [...this.#byEndpoint]
      .map(([endpoint, { bytes, durations }]) => {
        const sorted = durations.sort((a, b) => a - b)
        return { endpoint, count: sorted.length, bytes, p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95) }
      })
      .sort((a, b) => b.count - a.count || (a.endpoint < b.endpoint ? -1 : 1))
  }
}

function percentile(sorted: readonly number[], share: number): number {
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
}
