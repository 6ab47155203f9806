import type { Area } from '../spec/endpoints.ts'
import type { Level } from '../spec/requirements.ts'
import type { ApiVersion } from '../spec/versions.ts'
import type { CheckRecord, ShownChange } from './check-record.ts'
import type { ExchangeRecord, RequestTotals } from './exchange-record.ts'
import type { PreflightRecord } from './preflight-record.ts'
import type { Outcome } from './reason.ts'

/** A known deviation, which the operator of the target accepts until a date. */
export interface Waiver {
  check: string
  versions?: ApiVersion[]
  reason: string
  owner: string
  link: string
  expires: string
  /** File and line of the entry: `conformance.config.yaml:31`. Set when the file is loaded. */
  at?: string
}

/** The limits that decide about the exit code, together with the verdict. */
export interface GateLimits {
  /** Warnings count as failures. */
  strict: boolean
  /** The least share of the applicable must checks that must be judged for a conclusive verdict. Percent. */
  minJudged: number
  maxUntested?: number
  /** The areas and versions whose deviations count; all when absent. */
  mustConform?: { areas?: Area[]; versions?: ApiVersion[] }
  /** The outcome of a check whose repeats differ. */
  flaky: 'warn' | 'fail'
  /** How often a failed check is judged again. */
  repeats: number
}

/** A waiver with its state at the time of the run. */
export interface WaiverRecord extends Waiver {
  /** `unused`: its check was not judged. `stale`: its check passes. */
  state: 'active' | 'expiring' | 'expired' | 'stale' | 'unused'
}

/** Checks of one area that could not be judged although their data was given: the reads before their judgement returned no usable content. */
export interface BlockedChecks {
  /** The response to the first of these reads: without content, or 401 or 403. */
  code: 'empty-reads' | 'refused-reads'
  apiVersion: ApiVersion
  area: Area
  /** The number of blocked checks, and the number of the area's checks whose needs were met. */
  checks: number
  of: number
  /** The first of these reads. */
  method: 'GET'
  url: string
  status: number
}

/** The limits of the gate, with its result. */
export interface GateRecord extends GateLimits {
  /** The result, from the areas and versions that must conform and from the limits. */
  result: 'passed' | 'failed' | 'inconclusive'
  /** Sentences about missed limits and invalid waivers. */
  missed: string[]
  /** Sentences about the cause of an inconclusive result: checks without a verdict, or too few judged checks. */
  open: string[]
  /** Sentences about waivers that need attention soon, and about blocked checks. */
  warnings: string[]
  /** The blocked checks: with `strict` they make the result inconclusive. Older records lack this member. */
  blocked?: BlockedChecks[]
}

/** The number of checks of each outcome. */
export type Totals = Record<Outcome, number>

/** The numbers of judged and of applicable checks: of all levels, and of the level must, to which `gate.minJudged` applies. */
export interface Coverage {
  judged: number
  applicable: number
  judgedMust: number
  applicableMust: number
}

/** The verdict over some checks (docs/outcomes.md). */
export type Verdict = 'conforms' | 'deviates' | 'inconclusive'

/** A behaviour of the target on a point that the document leaves open. */
export interface Observation {
  /** Absent for a behaviour of every endpoint. */
  readonly endpoint?: string
  readonly topic: string
  readonly what: string
  /** The other choices that the document permits. */
  readonly permits?: string
}

/** The status of a requirement: the worst outcome of its checks. */
export interface RequirementRecord {
  id: string
  level: Level
  checks: string[]
  status: Outcome | 'excluded' | 'unjudged'
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

/** `report.json`: the records of one version of a target, the source of all other formats. */
export interface Report {
  format: 'service-conformance-report'
  formatVersion: 1
  /** `requirements` is the release whose requirements were judged, if the run named one. */
  suite: { name: string; version: string; requirements?: string }
  apiVersion: ApiVersion
  target: { baseUrl: string }
  startedAt: string
  durationMs: number
  verdict: Verdict
  totals: Totals
  coverage: Coverage
  requests: RequestTotals
  checks: CheckRecord[]
  requirements: RequirementRecord[]
  permissions: PermissionCell[]
  observations: Observation[]
  exchanges: ExchangeRecord[]
  seed: number
  warnings: string[]
  /** The objects that the run created on the target and could not remove. */
  leftBehind: string[]
  interrupted: boolean
}

/** One difference between the responses of two versions to the same request. In `at`, `*` is any item. */
export interface Difference extends Omit<ShownChange, 'change'> {
  /** The number of the documented change; absent for an undocumented difference. */
  change?: number
  /** True when the document describes the field: an unlisted difference in it breaks the promise of compatibility. */
  documented: boolean
}

/** The checks that compare all versions of a run. */
export interface CrossVersionRecord
  extends Pick<Report, 'checks' | 'observations' | 'exchanges'>,
    Partial<Pick<Report, 'requests' | 'durationMs'>> {
  differences: Difference[]
  /** Present if the target ignores the version header: the version of each response, unless both versions have equal ones. */
  ignoresVersion?: { serves?: ApiVersion }
}

/** The cross-version record of a run with a single version. */
export const noCrossVersion: CrossVersionRecord = {
  checks: [],
  differences: [],
  observations: [],
  exchanges: [],
}

/** The part of a run that was judged. */
export interface ShardRecord {
  /** From 1. */
  index: number
  of: number
  /** A hash of the selection of all shards together. */
  selection: string
}

/** The part of the suite that a run judged. A check counts once for each version. */
export interface SelectionRecord {
  /** The options and settings that chose it: `--only events.*`, `areas: events`. */
  by: string[]
  selected: number
  of: number
}

/** `run.json`: the index of one run over its versions. */
export interface RunRecord
  extends Pick<
    Report,
    'formatVersion' | 'suite' | 'verdict' | 'seed' | 'leftBehind' | 'interrupted'
  > {
  format: 'service-conformance-run'
  /** The judged server, with its name and its release if the configuration states them. */
  target: Report['target'] & { name?: string; version?: string }
  /** The findings about the configuration before the run; absent from records that the library made. */
  preflight?: PreflightRecord
  versions: {
    apiVersion: ApiVersion
    verdict: Verdict
    totals: Totals
    coverage: Coverage
    report: string
  }[]
  /** True if suspicions were not confirmed: a quick run judges each check once. */
  provisional?: true
  crossVersion: CrossVersionRecord
  waivers: WaiverRecord[]
  gate: GateRecord
  /** Absent if all checks of the suite were judged. */
  selection?: SelectionRecord
  /** Absent where the whole selection was judged. */
  shard?: ShardRecord
}
