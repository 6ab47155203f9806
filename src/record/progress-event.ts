import type { CheckRecord } from './check-record.ts'
import type { LaneName } from './lane-name.ts'

/** A wait, for the display of the progress. */
export type Waiting = { readonly what: string; readonly seconds: number }

/** One event of a run: a check was judged, requests were sent, or the run waits. `lane` is a version, or `across`. */
export type ProgressEvent =
  | { readonly type: 'check'; readonly lane: LaneName; readonly record: CheckRecord }
  | { readonly type: 'requests'; readonly lane: LaneName; readonly sent: number }
  | ({ readonly type: 'waiting'; readonly lane: LaneName } & Waiting)
