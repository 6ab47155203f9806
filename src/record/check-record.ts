import type { Area } from '../spec/endpoints.ts'
import type { Access } from '../spec/needs.ts'
import type { Level } from '../spec/requirements.ts'
import type { Outcome } from './outcome.ts'
import type { Reason } from './reason.ts'

/** One cell of the permission heat map, with the response that its callers must receive. */
export interface MatrixCell {
  /** Whose resources the category is about: `organization`, `repository`, `user`, or an area that judges token kinds itself. */
  owner: string
  /** The category's title. */
  category: string
  /** The token kind. */
  kind: string
  /** The level at which the token has the permission. */
  access: Access | 'none'
  expects: 'granted' | 'refused'
}

/** A documented change that needs a check in each version: one response cannot prove it. */
export interface ShownChange {
  /** The number of the change (document: Versioning). */
  change: number
  endpoint: string
  /** Where the versions differ: `status`, a JSON pointer, or `request, <member>`. */
  at: string
  kind: 'removed' | 'added' | 'type' | 'value' | 'status' | 'media-type' | 'request'
  /** The value in the older version. */
  older: string
  /** The value in the newer version. */
  newer: string
}

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
  /** The number of subjects for which the claim was proven. */
  subjects: number
  /** The code that explains the outcome, with its data; absent for a plain pass or failure. */
  reason?: Reason
  /** The explanation as a sentence; empty for a pass. No code reads it. */
  detail: string
  /** Names of the needs that were missing. */
  missing: string[]
  shows?: ShownChange
  /** The check fails when the version header has no effect. */
  detectsIgnoredVersion?: true
  deviation?: DeviationRecord
  /** The results of judging the check again, after a failure or a lost connection. */
  repeats?: { outcome: Outcome; detail: string; exchanges: string[] }[]
  /** The results of the repeats differ. */
  flaky?: boolean
  durationMs: number
  /** Ids of the exchanges that the check read, in the order of their responses. */
  exchanges: string[]
}

/** The evidence of a check that failed, warned or was waived. */
export interface DeviationRecord {
  expected: string
  actual: string
  /** JSON pointer into the body of the last exchange. */
  pointer?: string
  /** The number of items that break the claim. They alone have the trait; its value is JSON. */
  items?: { failing: number; of: number; trait?: { member: string; value: string } }
  exchanges: string[]
  /** The JSON around the pointer. */
  fragment?: JsonFragment
  /** The test data of the check's requests, so that a reader can repeat them. */
  given?: GivenNeed[]
}

/** A part of a body that is shown whole, in the document's words. */
export interface JsonFragment {
  /** JSON pointer of the part. */
  at: string
  /** The part as indented JSON. */
  json: string
  /** The first and the last line of `json` that the deviation's pointer names, counted from 1. */
  lines: [first: number, last: number]
}

/** A need that was provided to a check. */
export interface GivenNeed {
  /** The name of the need; `token` for a token. */
  need: string
  from: 'configuration' | 'provider'
  /** The environment variable that replaces the secret of a token in curl lines. */
  name?: string
  /** The requested properties, as JSON. */
  with?: string
  /** The provided value, as JSON. */
  given?: string
}
