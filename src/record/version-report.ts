import type { Level } from '../spec/requirements.ts'
import type { ApiVersion } from '../spec/versions.ts'
import type { CheckRecord } from './check-record.ts'
import type { ExchangeRecord, RequestTotals } from './exchange-record.ts'
import type { Outcome } from './outcome.ts'

export type Totals = Record<Outcome, number>

/** The number of judged and of applicable checks: of all levels, and of the level must, which `gate.minJudged` limits. */
export interface Coverage {
  judged: number
  applicable: number
  judgedMust: number
  applicableMust: number
}

export type Verdict = 'conforms' | 'deviates' | 'inconclusive'

/** An observed behaviour on which the document is silent. */
export interface Observation {
  readonly topic: string
  readonly what: string
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
  /** `requirements` is the release whose requirements were judged, where the run named one. */
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
