import type { MissingToken } from '../record/check-record.ts'

/** A need that a target did not meet, and how its operator can meet it. */
export interface MissingNeed {
  /** The catalogue name (`busy-user`), `token:<role>`, `paths.<name>` or `target.rateLimit`. */
  readonly need: string
  readonly how: string
  /** The token that is missing, if the need is a token. */
  readonly token?: MissingToken
}

/** The reason of a check that examined no subject and stated no other reason. */
export const nothingToExamine = 'there was nothing to examine'

/** Thrown when nothing could be judged: a need is missing, or there was nothing to examine. */
export class Untested extends Error {
  override readonly name = 'Untested'
  readonly missing: readonly MissingNeed[]
  constructor(reason: string, missing: readonly MissingNeed[] = []) {
    super(reason)
    this.missing = missing
  }
}
