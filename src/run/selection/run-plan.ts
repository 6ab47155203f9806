import type { Config, ReachableConfig } from '../../config/config.ts'
import type { LaneName } from '../../record/lane-name.ts'
import type { ApiVersion } from '../../spec/versions.ts'

/** One lane of a run. */
export interface LanePlan {
  readonly lane: LaneName
  /** The version that requests name unless they name another. */
  readonly apiVersion: ApiVersion
  /** Ids of the checks to judge, in order. */
  readonly checks: readonly string[]
}

/** The settings of a run, as plain data. */
export interface RunPlan {
  readonly config: ReachableConfig
  /** Identifies the run towards the provider. */
  readonly run: string
  /** Seed of the property checks and of the order. */
  readonly seed: number
  readonly readOnly: boolean
  /** The most requests of each lane. */
  readonly maxRequests?: number | undefined
  /** The end of sending, by the clock. Milliseconds. */
  readonly deadline?: number | undefined
  readonly lanes: readonly LanePlan[]
  /** Whether the versions are judged at the same time. */
  readonly versions: Config['limits']['versions']
}
