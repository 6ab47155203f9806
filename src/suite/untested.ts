import { lackOf, type MissingNeed, type Reason } from '../record/reason.ts'

export type { MissingNeed } from '../record/reason.ts'

/** The detail of a check that examined no subject and states no other reason. */
export const nothingToExamine = 'there was nothing to examine'

/** Thrown where a check cannot judge: it lacks a need, it has nothing to examine, or the response is not usable. */
export class Untested extends Error {
  override readonly name = 'Untested'
  readonly missing: readonly MissingNeed[]
  readonly reason: Reason

  /** `reason` is that of a check that lacks no need. */
  constructor(message: string, missing: readonly MissingNeed[] = [], reason: Reason = { code: 'unusable-answer' }) {
    super(message)
    this.missing = missing
    this.reason = missing.length === 0 ? reason : lackOf(missing)
  }
}
