import type { CheckRecord } from '../record/check-record.ts'
import type { ReportLane } from '../record/records.ts'
import { lack } from '../run/needs/need-catalogue.ts'
import { groupBy } from '../text/group.ts'

/** What untested checks lack, and those that do. */
export interface LackedNeed {
  /** The name of the need; empty where the target contains nothing to examine. */
  readonly need: string
  /** `miss organization`. */
  readonly what: string
  readonly checks: readonly CheckRecord[]
}

/** Everything that untested checks lack, what most of them lack first. A check counts with each need that it lacks, as in `doctor`. */
export function lackedNeeds(lanes: readonly ReportLane[]): LackedNeed[] {
  const untested = lanes.flatMap(({ report }) => report.checks.filter(({ outcome }) => outcome === 'untested'))
  const lacks = untested.flatMap((check) =>
    (check.missing.length === 0 ? [''] : check.missing).map((need) => ({ need, what: lack(need, check.detail), check })),
  )
  return [...groupBy(lacks, ({ what }) => what)]
    .map(([what, found]) => ({ need: found[0]?.need ?? '', what, checks: found.map(({ check }) => check) }))
    .sort((a, b) => b.checks.length - a.checks.length)
}
