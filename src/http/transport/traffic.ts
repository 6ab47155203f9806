import type { EndpointTraffic, RequestTotals } from '../../record/exchange-record.ts'
import type { Method } from '../../spec/endpoints.ts'
import { remembered } from '../../text/data.ts'
import { BodyCache } from '../exchange/body.ts'
import type { Caller } from '../exchange/caller.ts'
import { type Exchange, QuotaHeaders } from '../exchange/exchange.ts'
import type { RequestSpec } from '../exchange/request-spec.ts'
import { ConnectionPool } from './connection/pool.ts'
import { CallerQuota } from './limits/caller-quota.ts'
import { Pace, type PaceLimits } from './limits/pace.ts'
import type { Clock } from './time/clock.ts'

/** When each address, or each path, was polled, and when it may be polled again. */
export interface PollTimes {
  /** The present poll, by address and caller. */
  readonly turns: Map<string, Promise<void>>
  /** By address: the interval last stated in seconds, and when the next poll is due (milliseconds). */
  readonly intervals: Map<string, { readonly seconds: number; readonly due: number }>
}

/** Limits on the requests to a target and on its responses. */
export interface TrafficLimits extends PaceLimits {
  readonly timeoutSeconds: number
  readonly bodyBytes?: number
  readonly headerBytes?: number
}

/** The connections, limits and counts of one target. The API versions of a run share them, because the target's limits apply to all of them. */
export class Traffic {
  readonly connections: ConnectionPool
  readonly pace: Pace
  readonly quotaHeaders = new QuotaHeaders()
  readonly quota = new CallerQuota()
  readonly bodies = new BodyCache()
  readonly tokens = new TokenControls()
  readonly polls: PollTimes = { turns: new Map(), intervals: new Map() }
  /** The paths and callers of which the target counts all polls together. */
  readonly strictPolls = new Set<string>()
  /** The length of all bodies received so far, without archives. */
  bodyBytes = 0

  constructor(limits: TrafficLimits, clock: Clock, signal: AbortSignal) {
    this.connections = new ConnectionPool(limits.timeoutSeconds * 1000, limits.bodyBytes, limits.headerBytes)
    this.pace = new Pace(limits, clock, signal)
  }
}

/** Counts requests and responses, in total and by endpoint. */
export class TrafficTotals {
  readonly totals: RequestTotals = { sent: 0, shared: 0, byMethod: {}, writes: 0, bytes: 0 }
  readonly #byEndpoint = new Map<string, { bytes: number; readonly durations: number[] }>()

  /** Counts a request that is about to be sent. */
  countRequest(method: Method): void {
    this.totals.sent += 1
    this.totals.byMethod[method] = (this.totals.byMethod[method] ?? 0) + 1
    if (method !== 'GET') this.totals.writes += 1
  }

  /** Counts a response, with the bytes of its body and its duration in milliseconds. */
  countResponse(endpoint: string, bytes: number, duration: number): void {
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
        return { endpoint, count: sorted.length, bytes, p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95) }
      })
      .sort((a, b) => b.count - a.count || (a.endpoint < b.endpoint ? -1 : 1))
  }
}

function percentile(sorted: readonly number[], share: number): number {
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
}

/** Requests that only the user of a token may send. Others may be served in spite of an ended token. */
const ownPath = /^\/(user|notifications)(\/|$)/
const isOwn = ({ endpoint }: RequestSpec) => ownPath.test(endpoint.path ?? '')

/** One accepted request of each token, and the tokens that the target refuses since then (readings G9a). */
class TokenControls {
  readonly #accepted = new Map<string, RequestSpec>()
  readonly #ended = new Set<string>()

  /** Learns the control of an issued token (one with a kind): its first accepted GET, preferably one about its user. */
  learnFrom(spec: RequestSpec, { ok }: Exchange): void {
    const { endpoint, as } = spec
    if (!ok || endpoint.method !== 'GET' || as.secret === undefined || as.kind === undefined) return
    const known = this.#accepted.get(as.secret)
    if (!known || (!isOwn(known) && isOwn(spec))) this.#accepted.set(as.secret, spec)
  }

  /** The request to repeat after a 401; undefined for a caller whose requests were never accepted. */
  controlOf({ secret = '' }: Caller): RequestSpec | undefined {
    return this.#accepted.get(secret)
  }

  /** Records that the control of a token is refused. */
  markEnded({ secret = '' }: Caller): void {
    this.#ended.add(secret)
  }

  hasEnded({ secret = '' }: Caller): boolean {
    return this.#ended.has(secret)
  }
}
