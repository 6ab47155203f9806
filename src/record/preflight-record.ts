import type { Role, TokenKind } from '../spec/needs.ts'

/** What was found out about a target before anything was judged. */
export interface PreflightRecord {
  /** What answered first: `GET /events returned 200`. */
  target: string
  /** The embedded reference server was the target. */
  reference: boolean
  /** The configuration file; absent where the command line alone described the target. */
  configuration?: string
  tokens: PreflightToken[]
  /** What is in order as far as a run goes, and still likely to surprise. */
  notes: string[]
}

/** A configured token as the target treats it. */
export interface PreflightToken {
  /** The name that stands for its secret: `TOKEN_OWNER`. */
  token: string
  kind: TokenKind
  role?: Role
  /** Whose it is, by the target where it says so, else by the configuration. */
  login?: string
  /** `unknown`: the target answers it exactly like a token that was never issued, and rejects neither. */
  state: 'accepted' | 'rejected' | 'unknown'
  /** What was asked and answered. */
  says: string
}
