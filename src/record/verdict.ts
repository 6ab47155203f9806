import { counted, cut, grouped, printable } from '../text/format.ts'
import type { CheckRecord } from './check-record.ts'
import { coverageOf, isBelow } from './coverage.ts'
import { type Outcome, outcomes } from './outcome.ts'
import type { GateLimits, RunRecord, Totals, Verdict } from './run-record.ts'

/** Counts the checks of each outcome. */
export function countOutcomes(checks: readonly Pick<CheckRecord, 'outcome'>[]): Totals {
  const totals = Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Totals
  for (const { outcome } of checks) totals[outcome] += 1
  return totals
}

/** The members of a check record that decide a verdict. */
type JudgedCheck = Pick<CheckRecord, 'outcome' | 'level'> & Partial<Pick<CheckRecord, 'detail' | 'reason'>>

/** The limits that decide a verdict together with the outcomes. */
export type VerdictLimits = Pick<GateLimits, 'strict'> & Partial<Pick<GateLimits, 'minJudged'>>

/** The verdict over some checks. A deviation precedes inconclusive; a share below `minJudged` is inconclusive. */
export function verdictOf(checks: readonly JudgedCheck[], { strict, minJudged = 0 }: VerdictLimits): Verdict {
  const totals = countOutcomes(checks)
  if (totals.failed > 0 || (strict && totals.warned > 0)) return 'deviates'
  const coverage = coverageOf(checks)
  return totals.errored > 0 || coverage.judged === 0 || isBelow(coverage, minJudged) ? 'inconclusive' : 'conforms'
}

/** The verdict over some checks, with their number by outcome and their coverage. */
export function summaryOf(checks: readonly CheckRecord[], limits: VerdictLimits) {
  return { verdict: verdictOf(checks, limits), totals: countOutcomes(checks), coverage: coverageOf(checks) }
}

/** The verdict over several versions: the worst of them. */
export function worstVerdict(verdicts: readonly Verdict[]): Verdict {
  const order: Verdict[] = ['deviates', 'inconclusive', 'conforms']
  return order.find((verdict) => verdicts.includes(verdict)) ?? 'inconclusive'
}

/** The gate's limits that a version misses, as sentences. */
export function missedLimits({ untested }: Totals, { maxUntested = untested }: { maxUntested?: number }): string[] {
  return untested > maxUntested ? [`${untested} checks are untested, but gate.maxUntested allows only ${maxUntested}`] : []
}

/** Sentences about an inconclusive verdict; empty for a conclusive one. */
export function openReasons(checks: readonly JudgedCheck[], { minJudged = 0 }: VerdictLimits): string[] {
  const { judged, judgedMust, applicable, applicableMust } = coverageOf(checks)
  const { errored } = countOutcomes(checks)
  if (applicable === 0) return []
  if (errored > 0) return [`${counted(errored, 'check')} errored${notBegunText('errored', checks)}${commonDetail(checks)}`]
  if (isBelow({ judgedMust, applicableMust }, minJudged)) {
    const share = `${grouped(judgedMust)} of ${grouped(applicableMust)} applicable must checks judged`
    return [`${share}; gate.minJudged requires ${minJudged} %${throttleHint(checks)}`]
  }
  return judged === 0 ? ['no check was judged'] : []
}

/** How many of the errored checks an interrupted run did not begin: ` (306 not begun)`. Empty for other outcomes. */
export function notBegunText(outcome: Outcome, checks: readonly JudgedCheck[]): string {
  const notBegun = checks.filter((check) => check.outcome === outcome && check.reason?.code === 'not-begun').length
  return outcome === 'errored' && notBegun > 0 ? ` (${grouped(notBegun)} not begun)` : ''
}

/** How many checks are untested because the target throttles, if any. */
function throttleHint(checks: readonly JudgedCheck[]): string {
  const throttled = checks.filter(({ reason }) => reason?.code === 'throttled').length
  const verb = throttled === 1 ? 'is' : 'are'
  return throttled === 0 ? '' : `; ${grouped(throttled)} ${verb} untested because the target throttles the caller`
}

/** The longest common reason that is repeated. Characters. */
const longestReason = 400

function commonDetail(checks: readonly JudgedCheck[]): string {
  const details = new Set(checks.filter(({ outcome }) => outcome === 'errored').map(({ detail }) => detail))
  const [detail] = details
  return details.size === 1 && detail ? `: ${cut(printable(detail), longestReason)}` : ''
}

/** The worst verdict of the parts of a run: its versions and their comparison. Parts without an applicable check are ignored. */
export function verdictOfParts(parts: readonly { checks: readonly JudgedCheck[] }[], limits: VerdictLimits): Verdict {
  const applicable = parts.filter(({ checks }) => checks.some(({ outcome }) => outcome !== 'inapplicable'))
  return worstVerdict(applicable.map(({ checks }) => verdictOf(checks, limits)))
}

/** The exit code of `run`. The gate decides: 0 passed, 1 failed, 3 inconclusive. An interrupted run has 130. */
export function exitCode({ gate, interrupted }: Pick<RunRecord, 'gate' | 'interrupted'>): number {
  if (interrupted) return 130
  return { passed: 0, failed: 1, inconclusive: 3 }[gate.result]
}
