import type { Permissions, Role, TokenKind } from '../spec/needs.ts'
import type { ApiVersion } from '../spec/versions.ts'

/** The outcomes of a check, in the order in which reports list them. */
export const outcomes = [
  'passed',
  'failed',
  'warned',
  'waived',
  'untested',
  'inapplicable',
  'errored',
] as const

/** The outcome of a check: one of {@link outcomes} (docs/outcomes.md). */
export type Outcome = (typeof outcomes)[number]

/** The outcomes, from the one that decides the status of a requirement to the one with the least evidence. */
export const worstFirst: readonly Outcome[] = [
  'failed',
  'errored',
  'warned',
  'waived',
  'untested',
  'passed',
  'inapplicable',
]

/** A need that the target's operator did not meet. */
export interface MissingNeed {
  /** The name for readers: that of the catalogue (`busy-user`), `token:owner`, `paths.downloadArchive`, `target.rateLimit`. */
  readonly need: string
  /** Absent for test data of the catalogue. `limit`: a limit of the configuration is too low. */
  readonly kind?: 'token' | 'path' | 'quota' | 'limit'
  /** The role of a token that the configuration must list. */
  readonly role?: Role
  /** How the operator provides it. */
  readonly how: string
  /** Why the sources of test data that exist do not suffice. */
  readonly but?: string
  /** A value was provided, and it does not fit. */
  readonly unfit?: boolean
  /** The description of a fitting value. */
  readonly holds?: string
  /** The finding of the check about the given value. */
  readonly found?: string
  /** The token that was requested, for `token`. */
  readonly token?: MissingToken
}

/** A requested token, which neither the configuration nor the provider has. */
export interface MissingToken {
  readonly kind: TokenKind
  /** The login, account or resource owner of the token, if the check knows it. */
  readonly reach?: string
  /** The permissions that it grants at least. */
  readonly permissions?: Permissions
  /** The permissions that it does not grant. */
  readonly lacks?: Permissions
}

/** The options and limits that leave a check or a request out of a run, each in a few words. */
const leftOutPhrases = {
  'read-only': 'the run is read-only',
  'request-limit': 'limit of requests reached',
  'byte-limit': 'limit of bytes reached',
  'time-limit': 'time limit reached',
  bail: 'limit of causes reached',
} as const

/** The codes without data, each in a few words. */
const plainPhrases = {
  'nothing-to-examine': 'nothing to examine',
  'unusable-response': 'no response to judge by',
  'foreign-address': 'address not on the target',
  unreachable: 'target not reachable',
  timeout: 'no response in time',
  'connection-lost': 'connection lost',
  'malformed-response': 'response not readable',
  'no-response': 'no response',
  'provider-failure': 'provider failed',
  interrupted: 'run interrupted during the check',
  'not-begun': 'run interrupted before the check',
  'not-confirmed': 'an effect was missed, and there was no time for a second look',
  'suite-error': 'error of the suite',
  'engine-error': 'judging ended early',
} as const

/** Why a check has no verdict, does not apply, or has another verdict than a plain pass or failure. */
export type Reason =
  | { readonly code: keyof typeof plainPhrases }
  | {
      readonly code: 'missing-need' | 'missing-token' | 'unfit-need'
      readonly needs: readonly MissingNeed[]
    }
  | { readonly code: 'left-out'; readonly by: keyof typeof leftOutPhrases }
  | {
      readonly code: 'throttled'
      readonly status?: number
      readonly caller?: string
      readonly until?: string
    }
  | { readonly code: 'server-unavailable'; readonly status: number }
  | { readonly code: 'token-ended'; readonly caller: string }
  | { readonly code: 'not-in-version'; readonly versions: readonly ApiVersion[] }
  | { readonly code: 'not-claimed'; readonly endpoint: string }
  | { readonly code: 'flaky'; readonly outcomes: readonly Outcome[] }
  | { readonly code: 'waived'; readonly until: string; readonly because: string }

/** The needs that a check lacks. @internal */
export function needsIn(reason: Reason | undefined): readonly MissingNeed[] {
  return reason && 'needs' in reason ? reason.needs : []
}

/** The reason of a check that lacks these needs; each is listed once. @internal */
export function lackOf(all: readonly MissingNeed[]): Reason {
  const needs = [...new Map(all.map((need) => [JSON.stringify(need), need])).values()]
  if (needs.every(({ unfit }) => unfit)) return { code: 'unfit-need', needs }
  return {
    code: needs.every(({ kind }) => kind === 'token') ? 'missing-token' : 'missing-need',
    needs,
  }
}

/** A few words for a reason, for tables and lists of counts: `no response in time`. @internal */
export function phraseOf(reason: Reason) {
  if ('needs' in reason) return reason.needs.map(needPhrase).join(', ')
  if (reason.code === 'left-out') return `left out: ${leftOutPhrases[reason.by]}`
  if (reason.code === 'throttled') return 'target throttles'
  if (reason.code === 'server-unavailable') return `server error ${reason.status}`
  if (reason.code === 'token-ended')
    return `token ${reason.caller} accepted first and refused later`
  if (reason.code === 'not-in-version') return `only in ${reason.versions.join(', ')}`
  if (reason.code === 'not-claimed') return `${reason.endpoint} not offered`
  if (reason.code === 'flaky') return `flaky: ${reason.outcomes.join(', ')}`
  if (reason.code === 'waived') return `waived until ${reason.until}: ${reason.because}`
  return plainPhrases[reason.code]
}

/** `no token configured for the role owner`, `busy-user not provided`. @internal */
export function needPhrase({ need, kind, role, unfit, found }: Omit<MissingNeed, 'how'>) {
  if (unfit) return `${need} was given, but ${found ?? 'it does not fit'}`
  if (role) return `no token configured for the role ${role}`
  if (kind === 'token') return 'no suitable token configured'
  if (kind === 'limit') return `${need} too low`
  return kind ? `${need} not configured` : `${need} not provided`
}

/** The way to provide a need, or the description of a fitting value for an unfit one. @internal */
export function howText({ how, but, holds }: Partial<MissingNeed>) {
  if (holds !== undefined) return `a fitting value: ${holds}`
  return but === undefined ? `${how}` : `${how} (${but})`
}
