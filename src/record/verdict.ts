import { cut, printable } from '../text/show.ts'
import { type CheckRecord, throttledMark } from './check-record.ts'
import { coverageOf, grouped } from './coverage.ts'
import type { GateLimits } from './gate-record.ts'
import { outcomes } from './outcome.ts'
import type { RunRecord } from './run-record.ts'
import type { Coverage, Totals, Verdict } from './version-report.ts'

/** How many checks came to each outcome. */
export function countOutcomes(checks: readonly Pick<CheckRecord, 'outcome'>[]): Totals {
  const totals = Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Totals
  for (const { outcome } of checks) totals[outcome] += 1
  return totals
}

/** True where fewer of the applicable must checks were judged than `minJudged` percent of them. */
function isBelow({ judgedMust, applicableMust }: Coverage, minJudged: number): boolean {
  return judgedMust * 100 < applicableMust * minJudged
}

/** What a verdict looks at in a check. */
type JudgedCheck = Pick<CheckRecord, 'outcome' | 'level'> & Partial<Pick<CheckRecord, 'detail'>>

/** What decides a verdict beside the outcomes. */
export type VerdictLimits = Pick<GateLimits, 'strict'> & Partial<Pick<GateLimits, 'minJudged'>>

/** The verdict over some checks: red beats inconclusive, and a run that judged nothing, or less than `minJudged`, concludes nothing. */
export function verdictOf(checks: readonly JudgedCheck[], { strict, minJudged = 0 }: VerdictLimits): Verdict {
  const totals = countOutcomes(checks)
  if (totals.failed > 0 || (strict && totals.warned > 0)) return 'deviates'
  const coverage = coverageOf(checks)
  return totals.errored > 0 || coverage.judged === 0 || isBelow(coverage, minJudged) ? 'inconclusive' : 'conforms'
}

/** The verdict over several versions: the worst of them. */
export function worstVerdict(verdicts: readonly Verdict[]): Verdict {
  const order: Verdict[] = ['deviates', 'inconclusive', 'conforms']
  return order.find((verdict) => verdicts.includes(verdict)) ?? 'inconclusive'
}

/** The gate's limits that a version misses, as sentences. */
export function missedLimits(totals: Totals, gate: { maxUntested?: number }): string[] {
  const { maxUntested } = gate
  return maxUntested !== undefined && totals.untested > maxUntested
    ? [`${totals.untested} checks are untested, but gate.maxUntested allows only ${maxUntested}`]
    : []
}

/** Why a list of checks leaves its verdict open, as sentences; nothing where it does not. */
export function openReasons(checks: readonly JudgedCheck[], { minJudged = 0 }: VerdictLimits): string[] {
  const coverage = coverageOf(checks)
  const { errored } = countOutcomes(checks)
  if (coverage.applicable === 0) return []
  const below = isBelow(coverage, minJudged)
  return [
    ...(coverage.judged === 0 && errored === 0 && !below ? ['no check was judged'] : []),
    ...(errored > 0
      ? [`${grouped(errored)} ${errored === 1 ? 'check' : 'checks'} errored${commonDetail(checks)}${throttleHint(checks)}`]
      : []),
    ...(below && errored === 0
      ? [
          `${grouped(coverage.judgedMust)} of ${grouped(coverage.applicableMust)} applicable must checks were judged; gate.minJudged asks for ${minJudged} %`,
        ]
      : []),
  ]
}

/** How to be throttled less, where that is why checks errored. */
function throttleHint(checks: readonly JudgedCheck[]): string {
  const throttled = checks.filter(({ outcome, detail }) => outcome === 'errored' && detail?.includes(throttledMark))
  return throttled.length === 0
    ? ''
    : `; ${grouped(throttled.length)} because the target throttles: lower limits.requestsPerSecond`
}

/** The longest common reason that is repeated. Characters. */
const longestReason = 400

/** What all errored checks say, where it is the same, such as that the target is not there. */
function commonDetail(checks: readonly JudgedCheck[]): string {
  const details = new Set(checks.filter(({ outcome }) => outcome === 'errored').map(({ detail }) => detail))
  const [detail] = details
  return details.size === 1 && detail ? `: ${cut(printable(detail), longestReason)}` : ''
}

/** The worst verdict of several lists of checks, each with its limits; a list in which no check applies says nothing as long as another does. */
export function verdictOfLanes(lanes: readonly (readonly [checks: readonly JudgedCheck[], limits: VerdictLimits])[]): Verdict {
  const speaking = lanes.filter(([checks]) => checks.some(({ outcome }) => outcome !== 'inapplicable'))
  return worstVerdict(speaking.map(([checks, limits]) => verdictOf(checks, limits)))
}

/** Exit codes of `run`: 0 for a gate that passes, 1 for one that fails, 3 for an inconclusive run, 130 for an interrupted one. */
export function exitCode({ gate, interrupted }: Pick<RunRecord, 'gate' | 'interrupted'>): number {
  if (interrupted) return 130
  return { passed: 0, failed: 1, inconclusive: 3 }[gate.result]
}
