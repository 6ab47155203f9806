import type { Area } from '../spec/endpoints.ts'
import type { Access, Permissions, TokenKind } from '../spec/needs.ts'
import type { Level } from '../spec/requirements.ts'
import type { Outcome } from './outcome.ts'

/** What an errored check says of an answer that asks for fewer requests. */
export const throttledMark = ', too many requests'

/** One cell of the permission heat map, and what its callers must get. */
export interface MatrixCell {
  /** Whose resources the category is about: `organization`, `repository`, `user`, or an area that judges token kinds itself. */
  owner: string
  /** The category's title. */
  category: string
  /** The token kind. */
  kind: string
  /** The level of the category that the token holds. */
  access: Access | 'none'
  expects: 'granted' | 'refused'
}

/** A documented change that one answer cannot show: the behaviour of each version is a check of its own. */
export interface ShownChange {
  /** The number of the change (document: Versioning). */
  change: number
  endpoint: string
  /** Where the versions differ: `status`, a JSON pointer, or `request, <member>`. */
  at: string
  kind: 'removed' | 'added' | 'type' | 'value' | 'status' | 'media-type' | 'request'
  /** What the older and the newer version show. */
  older: string
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
  /** How many subjects the claim was seen to hold on. */
  subjects: number
  /** Why the outcome is what it is; empty for a pass. */
  detail: string
  /** Names of the needs that were missing. */
  missing: string[]
  /** The tokens that were missing, as far as one was asked for by what it may do. */
  missingTokens?: MissingToken[]
  matrix?: MatrixCell
  shows?: ShownChange
  /** The check fails when the version header has no effect. */
  detectsIgnoredVersion?: true
  deviation?: DeviationRecord
  /** How the check came out when it was judged again, where it had failed or a connection had ended under way. */
  repeats?: { outcome: Outcome; detail: string; exchanges: string[] }[]
  /** The repeats came out differently. */
  flaky?: boolean
  durationMs: number
  /** Ids of the exchanges that the check read, in the order of their answers. */
  exchanges: string[]
}

/** What was found where a check failed, warned or was waived. */
export interface DeviationRecord {
  expected: string
  actual: string
  /** JSON pointer into the body of the last exchange. */
  pointer?: string
  exchanges: string[]
  /** The JSON around the pointer. */
  fragment?: JsonFragment
  /** What the check was given to send its requests with, so that somebody else can send them again. */
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

/** A need that was given to a check. */
export interface GivenNeed {
  /** The name of the need; `token` for a token. */
  need: string
  from: 'configuration' | 'provider'
  /** The name that stands for the secret in curl lines, for a token. */
  name?: string
  /** What was asked for, as JSON. */
  with?: string
  /** What was given, as JSON. */
  given?: string
}

/** A token that a check wanted and that neither the configuration nor the provider has. */
export interface MissingToken {
  kind: TokenKind
  /** The login, account or resource owner that the token must belong to, where one is known. */
  reach?: string
  /** It holds at least these, and none of what it `lacks`. */
  permissions?: Permissions
  lacks?: Permissions
}
