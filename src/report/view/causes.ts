import type { CheckRecord } from '../../record/check-record.ts'
import { howText, needPhrase, needsIn, type Outcome, phraseOf } from '../../record/reason.ts'
import type { ReportLane } from '../../record/report-lanes.ts'
import { groupBy } from '../../text/data.ts'

/** A cause that left checks without a verdict. */
export interface Cause {
  /** `busy-user not provided`, `the feed is empty`. */
  readonly phrase: string
  /** How an operator provides the need in the phrase, or sees how the first check passes. */
  readonly how?: string
  /** `doctor` examines the cause: a need, a token or the target. */
  readonly doctor: boolean
  /** One record for each check and version. */
  readonly checks: readonly CheckRecord[]
}

type SingleCause = Omit<Cause, 'checks'> & { readonly check: CheckRecord }

/** The causes of the untested checks, the most frequent first. A check counts for each need that it lacks, as in `doctor`. */
export function untestedCauses(lanes: readonly ReportLane[]) {
  const causes = lanes.map(({ report, provisional }) =>
    report.checks
      .filter(({ outcome }) => outcome === 'untested')
      .flatMap((check) => (provisional && check.suspicions ? [suspected(check)] : causesOf(check))),
  )
  return joined(causes.flat())
}

/** The cause of a check that missed an effect in a run that confirms nothing. */
function suspected(check: CheckRecord) {
  return {
    phrase: 'suspected: an effect was missed, and nothing was confirmed',
    doctor: false,
    check,
  }
}

function causesOf(check: CheckRecord) {
  const { reason = { code: 'unusable-response' }, id, detail } = check
  const phrase = phraseOf(reason)
  if (reason.code === 'unusable-response' || reason.code === 'nothing-to-examine') {
    const how = `"npx service-conformance explain ${id}" shows how it passes`
    return [{ phrase: detail || phrase, how, doctor: false, check }]
  }
  if (reason.code === 'not-confirmed')
    return [
      { phrase, how: 'a run of these checks alone (--only) has the time', doctor: false, check },
    ]
  const needs = needsIn(reason)
  if (needs.length === 0) return [{ phrase, doctor: reason.code !== 'left-out', check }]
  return needs.map((need) => ({
    phrase: needPhrase(need),
    how: howText(need),
    doctor: !need.unfit,
    check,
  }))
}

/** The causes of the errored checks, the most frequent first. The phrase states the reason; failures of a provider differ in their details. */
export function erroredCauses(lanes: readonly ReportLane[]) {
  const phrase = ({ reason, detail }: CheckRecord) =>
    reason && reason.code !== 'provider-failure' ? phraseOf(reason) : detail
  return joined(
    checksWith(lanes, 'errored').map((check) => ({ phrase: phrase(check), doctor: false, check })),
  )
}

function checksWith(lanes: readonly ReportLane[], outcome: Outcome) {
  return lanes.flatMap(({ report }) => report.checks.filter((check) => check.outcome === outcome))
}

function joined(causes: readonly SingleCause[]) {
  return [...groupBy(causes, ({ phrase }) => phrase).values()]
    .map((same) => ({
      ...(same[0] as SingleCause),
      checks: [...new Set(same.map(({ check }) => check))],
    }))
    .sort((a, b) => b.checks.length - a.checks.length)
}
