import type { Exchange } from '../../http/exchange/exchange.ts'
import type { CheckRecord } from '../../record/check-record.ts'
import type { LaneName } from '../../record/lane-name.ts'
import type { ProgressEvent } from '../../record/progress-event.ts'
import type { Difference, Report } from '../../record/run-record.ts'

/** Receives the events of a run in their order. */
export interface RunListener {
  readonly progress?: ((event: ProgressEvent) => void) | undefined
  /** Receives each exchange, in the order of the responses. */
  readonly exchange?: ((lane: LaneName, exchange: Exchange) => void) | undefined
  /** The run ended before the provider released its test data. */
  readonly unreleased?: () => void
}

/** The outcome of one lane. A check without a record was lost. */
export interface LaneOutcome {
  readonly records: Map<string, CheckRecord>
  /** Present once the checks of the lane have ended. */
  result?: LaneResult
  /** The run reached its deadline before all checks of the lane. */
  isLate?: boolean
  /** The reason why the lane could not be judged. */
  broken?: string
  /** The target accepts no connection, so no request was sent. */
  readonly unreachable?: boolean
  /** The objects that the lane made and has not removed, in the order of their creation. */
  leftBehind: readonly string[]
}

/** The result of a lane whose checks have ended; the duration begins when the lane was opened. */
interface LaneResult
  extends Pick<
    Report,
    'exchanges' | 'observations' | 'requests' | 'warnings' | 'startedAt' | 'durationMs'
  > {
  readonly differences: Difference[]
}
