import { AnswerBodies } from '../exchange/answer-body.ts'
import { weightOf } from '../exchange/json-budget.ts'
import { QuotaHeaders } from '../exchange/quota-header.ts'
import type { Clock } from './clock.ts'
import { Connection } from './connection.ts'
import { LargeBodies, roomFor } from './large-bodies.ts'
import { Pace, type PaceLimits } from './pacing.ts'

/** When an address was last polled, and when it may be polled again. */
export interface PollTimes {
  /** The poll that each address waits for, by address and caller. */
  readonly turns: Map<string, Promise<void>>
  /** The interval last stated for an address, in seconds, how long the next poll waits for it at most, and when that is due (milliseconds). */
  readonly intervals: Map<string, { readonly seconds: number; readonly longest: number; readonly due: number }>
}

/** All that goes to one target during a run: what its versions share, since the target's limits hold for all of them together. */
export class Traffic {
  readonly connection: Connection
  readonly pace: Pace
  readonly quota = new QuotaHeaders()
  readonly bodies = new AnswerBodies()
  /** Of the bodies read so far, but for archives. */
  bodyBytes = 0
  readonly large: LargeBodies
  readonly polls: PollTimes = { turns: new Map(), intervals: new Map() }

  constructor(
    limits: PaceLimits & { readonly timeoutSeconds: number; readonly bodyBytes?: number },
    clock: Clock,
    signal: AbortSignal,
  ) {
    this.connection = new Connection(limits.timeoutSeconds * 1000, limits.bodyBytes)
    this.pace = new Pace(limits, clock, signal)
    this.large = new LargeBodies(limits.timeoutSeconds * 1000)
  }

  /** Notes a body that was read. */
  received(body: Buffer): void {
    this.bodyBytes += body.length
    this.large.note(body)
    this.pace.narrow(roomFor(weightOf(body)))
  }

  close(): Promise<void> {
    // When whoever closes has let go, too.
    setImmediate(() => this.large.tidy())
    return this.connection.close()
  }
}
