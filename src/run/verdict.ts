import { outcomes } from '../suite/outcome.ts'
import type { CheckRecord, Totals, Verdict } from './record.ts'

/** How many checks came to each outcome. */
export function countOutcomes(checks: readonly CheckRecord[]): Totals {
  const totals = Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Totals
  for (const { outcome } of checks) totals[outcome] += 1
  return totals
}

/** The verdict of a version: red beats inconclusive, and a run that judged nothing concludes nothing. */
export function verdictOf(totals: Totals, strict: boolean): Verdict {
  if (totals.failed > 0 || (strict && totals.warned > 0)) return 'deviates'
  const judged = totals.passed + totals.warned + totals.waived
  return totals.errored > 0 || judged === 0 ? 'inconclusive' : 'conforms'
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
    ? [`${totals.untested} checks are untested, gate.maxUntested allows ${maxUntested}`]
    : []
}

/** Exit codes of `run` (design: outcomes). */
export function exitCode(run: { verdict: Verdict; missed: readonly string[]; interrupted: boolean }): number {
  if (run.interrupted) return 130
  if (run.verdict === 'deviates' || run.missed.length > 0) return 1
  return run.verdict === 'inconclusive' ? 3 : 0
}
