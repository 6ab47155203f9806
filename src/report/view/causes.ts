import type { CheckRecord } from '../../record/check-record.ts'
import type { Outcome } from '../../record/outcome.ts'
import { needsIn, type Reason } from '../../record/reason.ts'
import type { ReportPart } from '../../record/report-parts.ts'
import { groupBy } from '../../text/data.ts'
import { needPhrase, phraseOf } from './reason-text.ts'

/** A cause that left checks without a verdict. */
export interface Cause {
  /** `busy-user not provided`, `response not usable`. */
  readonly phrase: string
  /** How an operator provides the need in the phrase. */
  readonly how?: string
  /** An option, a limit or the recording left the checks out, so that no need unlocks them. */
  readonly leftOut: boolean
  /** One record for each check and version. */
  readonly checks: readonly CheckRecord[]
}

const unexplained: Reason = { code: 'unusable-answer' }

/** The causes of the untested checks, the most frequent first. A check counts for each need that it lacks, as in `doctor`. */
export function untestedCauses(parts: readonly ReportPart[]): Cause[] {
  const causes = checksWith(parts, 'untested').flatMap((check) => causesOf(check.reason ?? unexplained, check))
  return [...groupBy(causes, ({ phrase }) => phrase).values()].flatMap(joined).sort(byFrequency)
}

function causesOf(reason: Reason, check: CheckRecord): Cause[] {
  const leftOut = reason.code === 'left-out' || reason.code === 'not-recorded'
  const needs = needsIn(reason)
  if (needs.length === 0) return [{ phrase: phraseOf(reason), leftOut, checks: [check] }]
  return needs.map(({ need, how, unfit = false }) => ({
    phrase: needPhrase({ need, unfit }),
    how,
    leftOut: false,
    checks: [check],
  }))
}

function joined(same: readonly Cause[]): Cause[] {
  const [first] = same
  return first ? [{ ...first, checks: [...new Set(same.flatMap(({ checks }) => checks))] }] : []
}

/** The causes of the errored checks, the most frequent first; the phrase is the whole detail. */
export function erroredCauses(parts: readonly ReportPart[]): Cause[] {
  return [...groupBy(checksWith(parts, 'errored'), ({ detail }) => detail)]
    .map(([phrase, checks]) => ({ phrase, leftOut: false, checks }))
    .sort(byFrequency)
}

function checksWith(parts: readonly ReportPart[], outcome: Outcome): CheckRecord[] {
  return parts.flatMap(({ report }) => report.checks.filter((check) => check.outcome === outcome))
}

function byFrequency(a: Cause, b: Cause): number {
  return b.checks.length - a.checks.length
}
