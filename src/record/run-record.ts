import type { ApiVersion } from '../spec/versions.ts'
import type { ShownChange } from './check-record.ts'
import type { GateRecord, WaiverRecord } from './gate-record.ts'
import type { PreflightRecord } from './preflight-record.ts'
import type { Coverage, Report, Totals, Verdict } from './version-report.ts'

/** One difference between the responses of two versions to the same request. In `at`, `*` is any item. */
export interface Difference extends Omit<ShownChange, 'change'> {
  /** The number of the documented change; absent for an undocumented difference. */
  change?: number
  /** The document describes the field, so that an unlisted difference breaks a promise. */
  documented: boolean
}

/** The checks that compare all versions of a run. */
export interface CrossVersionRecord
  extends Pick<Report, 'checks' | 'observations' | 'exchanges'>,
    Partial<Pick<Report, 'requests' | 'durationMs'>> {
  differences: Difference[]
  /** One sentence where the target ignores the version header. */
  ignoresVersion?: string
}

/** The cross-version record of a run with a single version. */
export const noCrossVersion: CrossVersionRecord = { checks: [], differences: [], observations: [], exchanges: [] }

/** Which part of a run was judged. */
export interface ShardRecord {
  /** From 1. */
  index: number
  of: number
  /** A hash of the selection of all shards together. */
  selection: string
}

/** The part of the suite that a run judged. Checks count once for each version. */
export interface SelectionRecord {
  /** The options and settings that chose it: `--only events.*`, `areas: events`. */
  by: string[]
  selected: number
  of: number
}

/** `run.json`: the index of one run over its versions. */
export interface RunRecord {
  format: 'service-conformance-run'
  formatVersion: 1
  suite: Report['suite']
  target: { baseUrl: string }
  /** The findings before judging; absent from records that the library made. */
  preflight?: PreflightRecord
  versions: { apiVersion: ApiVersion; verdict: Verdict; totals: Totals; coverage: Coverage; report: string }[]
  verdict: Verdict
  crossVersion: CrossVersionRecord
  waivers: WaiverRecord[]
  gate: GateRecord
  seed: number
  leftBehind: string[]
  interrupted: boolean
  /** Absent where all checks of the suite were judged. */
  selection?: SelectionRecord
  /** Absent where the whole selection was judged. */
  shard?: ShardRecord
}
