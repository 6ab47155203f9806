import type { ApiVersion } from '../spec/versions.ts'
import type { CheckRecord, ShownChange } from './check-record.ts'
import type { ExchangeRecord, RequestTotals } from './exchange-record.ts'
import type { GateRecord, WaiverRecord } from './gate-record.ts'
import type { PreflightRecord } from './preflight-record.ts'
import type { Coverage, Observation, Totals, Verdict } from './version-report.ts'

/** One difference between what two versions of a target answer to the same request. */
export interface Difference {
  endpoint: string
  /** Where it stands: a JSON pointer in which `*` is any item, or `status`, `media type`, `request`. */
  at: string
  kind: ShownChange['kind']
  /** What the older and the newer version show. */
  older: string
  newer: string
  /** The number of the document's change that names it; absent where none does. */
  change?: number
  /** The document describes the field, so that an unlisted difference breaks a promise. */
  documented: boolean
}

/** What was judged once for all versions of a run. */
export interface CrossVersionRecord {
  checks: CheckRecord[]
  differences: Difference[]
  observations: Observation[]
  /** What the checks refer to. */
  exchanges: ExchangeRecord[]
  /** What judging them took; absent where nothing was judged. */
  requests?: RequestTotals
  durationMs?: number
  /** One sentence when the target answers alike whatever version is asked for. */
  ignoresVersion?: string
}

/** The cross-version record of a run with a single version. */
export const noCrossVersion: CrossVersionRecord = { checks: [], differences: [], observations: [], exchanges: [] }

/** Which part of a run was judged. */
export interface ShardRecord {
  /** From 1. */
  index: number
  of: number
  /** Stands for the checks of all shards together. */
  selection: string
}

/** `run.json`: the index of one run over its versions. */
export interface RunRecord {
  format: 'service-conformance-run'
  formatVersion: 1
  /** `requirements` is the release whose requirements were judged, where the run named one. */
  suite: { name: string; version: string; requirements?: string }
  target: { baseUrl: string }
  /** What was found out before judging; absent from records that no command made, such as merged ones. */
  preflight?: PreflightRecord
  versions: { apiVersion: ApiVersion; verdict: Verdict; totals: Totals; coverage: Coverage; report: string }[]
  verdict: Verdict
  crossVersion: CrossVersionRecord
  waivers: WaiverRecord[]
  gate: GateRecord
  seed: number
  leftBehind: string[]
  interrupted: boolean
  /** Absent where the whole selection was judged. */
  shard?: ShardRecord
}
