import type { ReachableConfig } from '../../config/config.ts'
import type { LaneName } from '../../record/lane-name.ts'
import type { ApiVersion } from '../../spec/versions.ts'

import type { PlacedCheck } from './selection.ts'

/** One lane of a run. */
export interface LanePlan {
  readonly lane: LaneName
  /** The version that requests name unless they name another. */
  readonly apiVersion: ApiVersion
  /** The checks to judge, in order. */
  readonly placed: readonly PlacedCheck[]
}

/** The settings of a run. */
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
}
