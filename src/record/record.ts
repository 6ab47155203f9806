import type { GateConfig, WaiverConfig } from '../config/config.ts'
import type { RequestTotals } from '../http/client.ts'
import type { ExchangeRecord } from '../http/exchange.ts'
import type { Observation } from '../run/judge/session.ts'
import type { Area } from '../spec/endpoint.ts'
import type { ApiVersion } from '../spec/versions.ts'
import type { Level, Outcome } from '../suite/outcome.ts'

/** A check's entry in `report.json`. */
export interface CheckRecord {
  id: string
  title: string
  area: Area
  endpoint: string
  section: string
  level: Level
  requirements: string[]
  outcome: Outcome
  /** How many subjects the claim was seen to hold on. */
  subjects: number
  /** Why the outcome is what it is; empty for a pass. */
  detail: string
  /** Names of the needs that were missing. */
  missing: string[]
  deviation?: { expected: string; actual: string; pointer?: string; exchanges: string[] }
  /** How the check came out when it was judged again, where it had failed. */
  repeats?: { outcome: Outcome; detail: string; exchanges: string[] }[]
  /** The repeats came out differently. */
  flaky?: boolean
  durationMs: number
  /** Ids of the exchanges that the check read, in the order it used them. */
  exchanges: string[]
}

export type Totals = Record<Outcome, number>

export type Verdict = 'conforms' | 'deviates' | 'inconclusive'

/** How far a requirement is judged: by the worst outcome of its checks, or not at all. */
export interface RequirementRecord {
  id: string
  level: Level
  checks: string[]
  status: Outcome | 'excluded' | 'unjudged'
}

/** `report.json`: everything known about one version of a target; all other formats are made from it. */
export interface Report {
  format: 'service-conformance-report'
  formatVersion: 1
  suite: { name: string; version: string }
  apiVersion: ApiVersion
  target: { baseUrl: string }
  startedAt: string
  durationMs: number
  verdict: Verdict
  totals: Totals
  requests: RequestTotals
  checks: CheckRecord[]
  requirements: RequirementRecord[]
  permissions: PermissionCell[]
  observations: Observation[]
  exchanges: ExchangeRecord[]
  seed: number
  warnings: string[]
  /** What the run made on the target and could not remove. */
  leftBehind: string[]
  interrupted: boolean
}

/** One cell of the permission heat map. */
export interface PermissionCell {
  owner: string
  category: string
  row: string
  tokenKind: string
  access: string
  cell: 'granted' | 'refused' | 'too-permissive' | 'too-restrictive' | 'undecided'
}

/** One difference between what two versions of a target answer to the same request. */
export interface Difference {
  endpoint: string
  /** Where it stands: a JSON pointer in which `*` is any item, or `status`, `media type`, `request`. */
  at: string
  kind: 'removed' | 'added' | 'type' | 'value' | 'status' | 'media-type' | 'request'
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

/** A waiver as the run found it. */
export interface WaiverRecord extends WaiverConfig {
  /** `unused`: its check was not judged. `stale`: its check passes. */
  state: 'active' | 'expiring' | 'expired' | 'stale' | 'unused'
}

/** What the gate asked for, and what it found. */
export interface GateRecord extends GateConfig {
  /** By the areas and versions that must conform, and the limits. */
  result: 'passed' | 'failed' | 'inconclusive'
  /** Why it failed, beside deviations. */
  missed: string[]
  /** What needs attention soon. */
  warnings: string[]
}

/** `run.json`: the index of one run over its versions. */
export interface RunRecord {
  format: 'service-conformance-run'
  formatVersion: 1
  suite: { name: string; version: string }
  target: { baseUrl: string }
  versions: { apiVersion: ApiVersion; verdict: Verdict; totals: Totals; report: string }[]
  verdict: Verdict
  crossVersion: CrossVersionRecord
  waivers: WaiverRecord[]
  gate: GateRecord
  seed: number
  leftBehind: string[]
  interrupted: boolean
}
