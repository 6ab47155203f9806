import {
  type EndpointTraffic,
  noRequests,
  type RequestTotals,
} from '../../record/exchange-record.ts'
import type { Method } from '../../spec/endpoints.ts'
import { remembered } from '../../text/data.ts'
import { BodyCache } from '../exchange/body.ts'
import { ConnectionPool } from './connection/pool.ts'
import { type CallerGate, callerGate, type GateOptions } from './limits/caller-gate.ts'

/** When each address, or each path, was polled, and when it may be polled again. */
export interface PollTimes {
  /** The present poll, by address and caller. */
  readonly turns: Map<string, Promise<void>>
  /** By address: the interval last stated in seconds, and when the next poll is due (milliseconds). */
  readonly intervals: Map<string, { readonly seconds: number; readonly due: number }>
}

/** The limits and the clock of the traffic with a target. */
export interface TrafficOptions extends GateOptions {
  readonly limits: GateOptions['limits'] & {
    readonly bodyBytes?: number
    readonly headerBytes?: number
  }
}

/** The connections to one target and the state of its callers. The API versions of a run share them, because the target's limits apply to all. */
export class Traffic {
  readonly connections: ConnectionPool
  /** Knows when each caller may send. */
  readonly gate: CallerGate
  readonly bodies = new BodyCache()
  /** The times of polls, by path. */
  readonly polls: PollTimes = { turns: new Map(), intervals: new Map() }
  /** The paths and callers of which the target counts all polls together. */
  readonly strictPolls = new Set<string>()

  constructor(options: TrafficOptions) {
    const { timeoutSeconds, bodyBytes, headerBytes } = options.limits
    this.connections = new ConnectionPool(timeoutSeconds * 1000, bodyBytes, headerBytes)
    this.gate = callerGate(options)
  }
}

/** Counts requests and responses, in total and by endpoint. */
export class TrafficTotals {
  readonly totals: RequestTotals = structuredClone(noRequests)
  readonly #byEndpoint = new Map<string, { bytes: number; readonly durations: number[] }>()

  /** Counts a request that is about to be sent. */
  countRequest(method: Method) {
    this.totals.sent += 1
    this.totals.byMethod[method] = (this.totals.byMethod[method] ?? 0) + 1
    if (method !== 'GET') this.totals.writes += 1
  }

  /** Counts a response, with the bytes of its body and its duration in milliseconds. */
  countResponse(endpoint: string, bytes: number, duration: number) {
    const known = remembered(this.#byEndpoint, endpoint, () => ({ bytes: 0, durations: [] }))
    known.bytes += bytes
    known.durations.push(duration)
    this.totals.bytes += bytes
  }

  /** Response counts and times by endpoint, the most frequent one first. */
  byEndpoint(): EndpointTraffic[] {
    return [...this.#byEndpoint]
      .map(([endpoint, { bytes, durations }]) => {
        const sorted = durations.sort((a, b) => a - b)
        return {
          endpoint,
          count: sorted.length,
          bytes,
          p50: percentile(sorted, 0.5),
          p95: percentile(sorted, 0.95),
        }
      })
      .sort((a, b) => b.count - a.count || (a.endpoint < b.endpoint ? -1 : 1))
  }
}

function percentile(sorted: readonly number[], share: number) {
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
}
