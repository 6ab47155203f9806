import type { CheckRecord } from './check-record.ts'
import { outcomes } from './outcome.ts'
import type { Totals, Verdict } from './report.ts'
import type { RunRecord } from './run-record.ts'

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
    ? [`${totals.untested} checks are untested, but gate.maxUntested allows only ${maxUntested}`]
    : []
}

/** The worst verdict of several lists of checks; a list in which no check applies says nothing as long as another speaks. */
export function verdictOfLanes(lanes: readonly (readonly CheckRecord[])[], strict: boolean): Verdict {
  const totals = lanes.map(countOutcomes).filter(({ inapplicable, ...rest }) => Object.values(rest).some((count) => count > 0))
  return worstVerdict(totals.map((counts) => verdictOf(counts, strict)))
}

/** Exit codes of `run`: 0 for a gate that passes, 1 for one that fails, 3 for an inconclusive run, 130 for an interrupted one. */
export function exitCode({ gate, interrupted }: Pick<RunRecord, 'gate' | 'interrupted'>): number {
  if (interrupted) return 130
  return { passed: 0, failed: 1, inconclusive: 3 }[gate.result]
}
