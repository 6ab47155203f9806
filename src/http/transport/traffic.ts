import { BodyCache } from '../exchange/body.ts'
import { QuotaHeaders } from '../exchange/quota-header.ts'
import { TokenControls } from '../exchange/token-controls.ts'
import { CallerQuota } from './caller-quota.ts'
import type { Clock } from './clock.ts'
import { ConnectionPool } from './connection-pool.ts'
import { Pace, type PaceLimits } from './pacing.ts'

/** When each address was polled, and when it may be polled again. */
export interface PollTimes {
  /** The present poll of each address, by address and caller. */
  readonly turns: Map<string, Promise<void>>
  /** By address: the interval last stated in seconds, the longest wait for the next poll, and when that poll is due (milliseconds). */
  readonly intervals: Map<string, { readonly seconds: number; readonly longest: number; readonly due: number }>
}

/** Everything about the traffic to one target that the API versions of a run share, because the target's limits apply to all of them. */
export class Traffic {
  readonly connections: ConnectionPool
  readonly pace: Pace
  readonly quotaHeaders = new QuotaHeaders()
  readonly quota = new CallerQuota()
  readonly bodies = new BodyCache()
  readonly tokens = new TokenControls()
  readonly polls: PollTimes = { turns: new Map(), intervals: new Map() }
  /** The length of all bodies received so far, without archives. */
  bodyBytes = 0

  constructor(
    limits: PaceLimits & { readonly timeoutSeconds: number; readonly bodyBytes?: number; readonly headerBytes?: number },
    clock: Clock,
    signal: AbortSignal,
  ) {
    this.connections = new ConnectionPool(limits.timeoutSeconds * 1000, limits.bodyBytes, limits.headerBytes)
    this.pace = new Pace(limits, clock, signal)
  }

  close(): Promise<void> {
    return this.connections.close()
  }
}
