import type { CheckRecord } from '../../record/check-record.ts'
import type { ExchangeRecord, RequestTotals } from '../../record/exchange-record.ts'
import type { Observation } from '../../record/report.ts'
import type { Difference } from '../../record/run-record.ts'
import type { ApiVersion } from '../../spec/versions.ts'
import type { SessionOptions, Waiting } from '../judge/session.ts'

/** What one worker judges: a version, or what shows only across all of them. */
export type LaneName = ApiVersion | 'across'

/** What a worker is told to judge; plain data. */
export interface WorkerPlan
  extends Pick<SessionOptions, 'config' | 'apiVersion' | 'run' | 'seed' | 'readOnly' | 'maxRequests' | 'deadline'> {
  readonly lane: LaneName
  /** The broadcast channel between the engine and its workers. */
  readonly channel: string
  /** Ids of the checks to judge, in order. */
  readonly checks: readonly string[]
}

/** What a worker knows when its lane is judged. */
export interface VersionResult {
  readonly exchanges: ExchangeRecord[]
  readonly observations: Observation[]
  readonly requests: RequestTotals
  readonly warnings: string[]
  readonly leftBehind: string[]
  readonly differences: Difference[]
  /** When the lane was opened, and how long it took. */
  readonly startedAt: string
  readonly durationMs: number
  /** The failed checks that were judged again, as they came out. */
  readonly repeated: CheckRecord[]
}

/** From a worker to the engine. */
export type WorkerMessage =
  | { readonly type: 'check'; readonly lane: LaneName; readonly record: CheckRecord }
  | { readonly type: 'requests'; readonly lane: LaneName; readonly sent: number }
  | { readonly type: 'waiting'; readonly lane: LaneName; readonly waiting: Waiting }
  | { readonly type: 'result'; readonly lane: LaneName; readonly result: VersionResult }
  | { readonly type: 'broken'; readonly lane: LaneName; readonly reason: string }

/** From the engine to its workers. */
export type EngineMessage = { readonly type: 'cancel' } | { readonly type: 'received'; readonly lane: LaneName }

declare module 'vitest' {
  interface ProvidedContext {
    plan: WorkerPlan
  }
}
