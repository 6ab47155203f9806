import type { CheckRecord } from '../../record/check-record.ts'
import type { Outcome } from '../../record/outcome.ts'
import { needPhrase, needsIn, phraseOf } from '../../record/reason.ts'
import type { ReportPart } from '../../record/report-parts.ts'
import { groupBy } from '../../text/data.ts'

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

type SingleCause = Omit<Cause, 'checks'> & { readonly check: CheckRecord }

/** The causes of the untested checks, the most frequent first. A check counts for each need that it lacks, as in `doctor`. */
export function untestedCauses(parts: readonly ReportPart[]): Cause[] {
  return joined(checksWith(parts, 'untested').flatMap(causesOf))
}

function causesOf(check: CheckRecord): SingleCause[] {
  const { reason = { code: 'unusable-answer' } } = check
  const leftOut = reason.code === 'left-out' || reason.code === 'not-recorded'
  const needs = needsIn(reason)
  if (needs.length === 0) return [{ phrase: phraseOf(reason), leftOut, check }]
  return needs.map((need) => ({ phrase: needPhrase(need), how: need.how, leftOut, check }))
}

/** The causes of the errored checks, the most frequent first. The phrase is that of the reason; failures of a provider differ in their details. */
export function erroredCauses(parts: readonly ReportPart[]): Cause[] {
  const phrase = ({ reason, detail }: CheckRecord) => (reason && reason.code !== 'provider-failure' ? phraseOf(reason) : detail)
  return joined(checksWith(parts, 'errored').map((check) => ({ phrase: phrase(check), leftOut: false, check })))
}

function checksWith(parts: readonly ReportPart[], outcome: Outcome): CheckRecord[] {
  return parts.flatMap(({ report }) => report.checks.filter((check) => check.outcome === outcome))
}

function joined(causes: readonly SingleCause[]): Cause[] {
  return [...groupBy(causes, ({ phrase }) => phrase).values()]
    .map((same) => ({ ...(same[0] as SingleCause), checks: [...new Set(same.map(({ check }) => check))] }))
    .sort((a, b) => b.checks.length - a.checks.length)
}
