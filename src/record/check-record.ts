import type { Area } from '../spec/endpoints.ts'
import type { Access } from '../spec/needs.ts'
import type { Level } from '../spec/requirements.ts'
import type { LaneName } from './lane-name.ts'
import type { Outcome, Reason } from './reason.ts'

/** One cell of the permission heat map, with the response that its callers must get. */
export interface MatrixCell {
  /** The owner of the category's resources: `organization`, `repository` or `user`; or an area that judges token kinds itself. */
  owner: string
  /** The category's title. */
  category: string
  /** The token kind. */
  kind: string
  /** The level at which the token has the permission. */
  access: Access | 'none'
  expects: 'granted' | 'refused'
}

/** A documented change that no single response can prove: it needs a check in each version. */
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
  /** The reason of the outcome: its code and data. Absent for a plain pass or failure. */
  reason?: Reason
  /** The reason as a sentence for readers; empty for a pass. */
  detail: string
  /** Names of the needs that were missing. */
  missing: string[]
  shows?: ShownChange
  /** True for a check that fails when the version header has no effect. */
  detectsIgnoredVersion?: true
  deviation?: DeviationRecord
  /** The outcomes of the repeats after a failure or a lost connection. */
  repeats?: { outcome: Outcome; detail: string; exchanges: string[] }[]
  /** The kinds of effects that a check without a pass did not see. In the first judgement they are suspicions (readings G16). */
  suspicions?: string[]
  /** The check whose confirmation decided, since it missed the same effects. */
  confirmedAs?: { check: string; lane: LaneName }
  /** True when the repeats have different outcomes. */
  flaky?: boolean
  durationMs: number
  /** Ids of the exchanges that the check read, in the order of their responses. */
  exchanges: string[]
}

/** The evidence of a check that failed, warned or was waived. */
export interface DeviationRecord {
  expected: string
  actual: string
  /** Whose token the request has, and how it varies the plain one of its endpoint: `with the owner's token, for JSON`. */
  variation?: string
  /** The difference without the values of one endpoint. Equal differences have one cause. */
  difference?: { of: string; is: string }
  /** JSON pointer into the body of the last exchange. */
  pointer?: string
  /** The number of items that break the claim. `trait` is a member that all of them have and no other item has; its value is JSON. */
  items?: { failing: number; of: number; trait?: { member: string; value: string } }
  exchanges: string[]
  /** The outline of each exchange's response: `200, 15 items`. */
  responses?: string[]
  /** The part of the body around the place of the deviation. */
  fragment?: JsonFragment
  /** The needs that the check's requests used, so that a reader can repeat them. */
  given?: GivenNeed[]
}

/** A part of a body that is shown whole, in the document's words. */
export interface JsonFragment {
  /** JSON pointer of the part. */
  at: string
  /** The part as indented JSON. */
  json: string
  /** The first and the last line of `json` that belong to the deviation, counted from 1. */
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
