import type { Role, TokenKind } from '../spec/needs.ts'

/** The findings about a target before judging began. */
export interface PreflightRecord {
  /** The first response: `GET /events returned 200`. */
  target: string
  /** The embedded reference server was the target. */
  reference: boolean
  /** The configuration file; absent if the command line alone described the target. */
  configuration?: string
  tokens: PreflightToken[]
  /** Sentences about unusual properties that do not prevent a run. */
  notes: string[]
}

/** A configured token as the target treats it. */
export interface PreflightToken {
  /** The environment variable of its secret: `OWNER_TOKEN`. */
  token: string
  kind: TokenKind
  role?: Role
  /** The login of its owner: from the target, otherwise from the configuration. */
  login?: string
  /** `unknown`: the target accepts it, and accepts a token that was never issued in the same way. */
  state: 'accepted' | 'refused' | 'unknown'
  /** The request and its response. */
  says: string
}
