import type { Config } from '../../config/config.ts'
import type { NamedSecret } from '../../http/redaction/redaction.ts'
import type { CheckRecord } from '../../record/check-record.ts'
import type { ExchangeRecord, RequestTotals } from '../../record/exchange-record.ts'
import type { PreflightRecord } from '../../record/preflight-record.ts'
import type { Difference, SelectionRecord, ShardRecord } from '../../record/run-record.ts'
import type { Observation } from '../../record/version-report.ts'
import type { ApiVersion } from '../../spec/versions.ts'
import type { SessionOptions, Waiting } from '../judge/session.ts'
import type { LaneName } from './lane-name.ts'

export type { LaneName } from './lane-name.ts'

/** One lane of a run. */
export interface LanePlan {
  readonly lane: LaneName
  /** The version that requests name unless they name another. */
  readonly apiVersion: ApiVersion
  /** Ids of the checks to judge, in order. */
  readonly checks: readonly string[]
}

/** What the engine's worker is told to judge; plain data. */
export interface RunPlan extends Pick<SessionOptions, 'config' | 'seed' | 'readOnly' | 'maxRequests' | 'deadline'> {
  readonly run: string
  readonly lanes: readonly LanePlan[]
  /** Whether the versions are judged at the same time. */
  readonly versions: Config['limits']['versions']
  /** Where the run is recorded. */
  readonly record?: RecordPlan | undefined
  /** The recording that is judged in place of a target. */
  readonly replay?: string | undefined
}

/** How a run is recorded, beside what its plan says. */
export interface RecordPlan {
  readonly file: string
  readonly startedAt: string
  readonly preflight?: PreflightRecord | undefined
  readonly shard?: ShardRecord | undefined
  readonly selection?: SelectionRecord | undefined
}

/** What the worker knows when a lane is judged. */
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

/** What has happened since the last message of this kind. */
export interface ProgressMessage {
  readonly type: 'progress'
  readonly records: { readonly lane: LaneName; readonly record: CheckRecord }[]
  readonly waiting: { readonly lane: LaneName; readonly waiting: Waiting }[]
  /** Requests sent so far, by lane. */
  readonly sent: [LaneName, number][]
  readonly changes: TargetChange[]
  /** What no output may contain. */
  readonly secrets: NamedSecret[]
}

/** Something was made on the target, or removed from it again. */
export interface TargetChange {
  readonly lane: LaneName
  readonly did: 'make' | 'undo'
  readonly what: string
}

/** What tells the thread of a run, which gets its plan as its first message, from any other that loads this package. */
export interface JudgingThread {
  readonly judges: true
}

/** From the worker to the engine. */
export type WorkerMessage = ProgressMessage | LaneMessage

/** About one lane. */
export type LaneMessage =
  | { readonly type: 'result'; readonly lane: LaneName; readonly result: VersionResult }
  | { readonly type: 'broken'; readonly lane: LaneName; readonly reason: string }

/** From the engine to its worker: the run is interrupted. */
export type EngineMessage = 'cancel'
