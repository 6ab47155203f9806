import type { Permissions, TokenKind } from '../spec/needs.ts'
import type { ApiVersion } from '../spec/versions.ts'
import type { Outcome } from './outcome.ts'

/** A need that the target's operator did not meet. */
export interface MissingNeed {
  /** The name in the catalogue (`busy-user`), `token`, `token:<role>`, `paths.<name>`, `target.rateLimit` or another setting. */
  readonly need: string
  /** How the operator provides it. */
  readonly how: string
  /** A value was provided, and it does not fit. */
  readonly unfit?: boolean
  /** The token that was requested, for `token`. */
  readonly token?: MissingToken
}

/** A token that a check requested and that neither the configuration nor the provider has. */
export interface MissingToken {
  readonly kind: TokenKind
  /** The login, account or resource owner that the token must belong to, where one is known. */
  readonly reach?: string
  /** The permissions that it grants at least. */
  readonly permissions?: Permissions
  /** The permissions that it does not grant. */
  readonly lacks?: Permissions
}

/** The options and limits that leave a check or a request out of a run. */
export type LeftOutBy = 'read-only' | 'request-limit' | 'byte-limit' | 'time-limit'

/** The codes without data. */
export type PlainCode =
  | 'nothing-to-examine'
  | 'unusable-answer'
  | 'unreachable'
  | 'timeout'
  | 'connection-lost'
  | 'malformed-answer'
  | 'no-answer'
  | 'provider-failure'
  | 'interrupted'
  | 'not-begun'
  | 'suite-error'
  | 'engine-error'

/** Why a check has no verdict, does not apply, or has another verdict than a plain pass or failure. */
export type Reason =
  | { readonly code: PlainCode }
  | { readonly code: 'missing-need' | 'missing-token' | 'unfit-need'; readonly needs: readonly MissingNeed[] }
  | { readonly code: 'left-out'; readonly by: LeftOutBy }
  | { readonly code: 'not-recorded' }
  | { readonly code: 'throttled'; readonly status?: number; readonly caller?: string; readonly until?: string }
  | { readonly code: 'server-unavailable'; readonly status: number }
  | { readonly code: 'token-ended'; readonly caller: string }
  | { readonly code: 'not-in-version'; readonly versions: readonly ApiVersion[] }
  | { readonly code: 'not-claimed'; readonly endpoint: string }
  | { readonly code: 'flaky'; readonly outcomes: readonly Outcome[] }
  | { readonly code: 'waived'; readonly until: string; readonly because: string }

export type ReasonCode = Reason['code']

/** The needs that a check lacks. */
export function needsIn(reason: Reason | undefined): readonly MissingNeed[] {
  return reason && 'needs' in reason ? reason.needs : []
}

/** The reason of a check that lacks these needs; each is listed once. */
export function lackOf(all: readonly MissingNeed[]): Reason {
  const needs = [...new Map(all.map((need) => [JSON.stringify(need), need])).values()]
  if (needs.every(({ unfit }) => unfit)) return { code: 'unfit-need', needs }
  return { code: needs.every(({ need }) => /^token(:|$)/.test(need)) ? 'missing-token' : 'missing-need', needs }
}
