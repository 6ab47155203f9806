import type { ApiVersion } from '../spec/versions.ts'
import type { RequestTotals } from '../target/client.ts'
import type { ExchangeRecord } from '../target/exchange.ts'
import type { CheckRecord, PermissionCell } from './record.ts'
import type { Observation, SessionOptions, Waiting } from './session.ts'

/** What a worker is told to judge; plain data. */
export interface WorkerPlan extends Pick<SessionOptions, 'config' | 'apiVersion' | 'run' | 'seed' | 'readOnly' | 'maxRequests'> {
  /** The broadcast channel between the engine and its workers. */
  readonly channel: string
  /** Ids of the checks to judge, in order. */
  readonly checks: readonly string[]
}

/** What a worker knows when its version is judged. */
export interface VersionResult {
  readonly exchanges: ExchangeRecord[]
  readonly observations: Observation[]
  readonly requests: RequestTotals
  readonly warnings: string[]
  readonly leftBehind: string[]
  readonly cells: PermissionCell[]
}

/** From a worker to the engine. */
export type WorkerMessage =
  | { readonly type: 'check'; readonly version: ApiVersion; readonly record: CheckRecord }
  | { readonly type: 'requests'; readonly version: ApiVersion; readonly sent: number }
  | { readonly type: 'waiting'; readonly version: ApiVersion; readonly waiting: Waiting }
  | { readonly type: 'result'; readonly version: ApiVersion; readonly result: VersionResult }
  | { readonly type: 'broken'; readonly version: ApiVersion; readonly reason: string }

/** From the engine to its workers. */
export type EngineMessage = { readonly type: 'cancel' } | { readonly type: 'received'; readonly version: ApiVersion }

declare module 'vitest' {
  interface ProvidedContext {
    plan: WorkerPlan
  }
}
