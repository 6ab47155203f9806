import type { CheckRecord } from './check-record.ts'
import type { LaneName } from './lane-name.ts'

/** A wait, for the display of the progress. */
export interface Waiting {
  readonly what: string
  readonly seconds: number
  /** The check that waits; empty for a poll interval, which belongs to several checks. */
  readonly check: string
  /** The longest time for all waits of this series. Seconds. */
  readonly atMost?: number
}

/** One event of a run: a check was judged, requests were sent, or the run waits. `lane` is a version, or `across`. */
export type ProgressEvent =
  | { readonly type: 'check'; readonly lane: LaneName; readonly record: CheckRecord }
  | { readonly type: 'requests'; readonly lane: LaneName; readonly sent: number }
  | { readonly type: 'confirming'; readonly suspected: number; readonly patience: number }
  | { readonly type: 'waiting' | 'waited'; readonly lane: LaneName; readonly waiting: Waiting }
