import type { Exchange } from '../http/exchange/exchange.ts'
import { lackOf, type MissingNeed, type Reason } from '../record/reason.ts'

/** Thrown when a check cannot judge: it lacks a need, it has nothing to examine, or the response is not usable. */
export class Untested extends Error {
  override readonly name = 'Untested'
  readonly missing: readonly MissingNeed[]
  readonly reason: Reason
  /** The unusable response to a request that another check sent. */
  exchange?: Exchange

  /** `reason` counts only without `missing` needs. */
  constructor(
    message: string,
    missing: readonly MissingNeed[] = [],
    reason: Reason = { code: 'unusable-response' },
  ) {
    super(message)
    this.missing = missing
    this.reason = missing.length === 0 ? reason : lackOf(missing)
  }
}
