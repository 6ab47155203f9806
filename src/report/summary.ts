import type { Report } from '../run/record.ts'
import { outcomes } from '../suite/outcome.ts'
import { failureBlock } from './failure-block.ts'
import { groupBy } from './group.ts'

/** The end of a run on the terminal: per version the deviations, what was missing, and the verdict. */
export function renderSummary(report: Report): string[] {
  const deviating = report.checks.filter(({ outcome }) => outcome === 'failed' || outcome === 'warned')
  const counts = outcomes.filter((outcome) => report.totals[outcome] > 0).map((outcome) => `${report.totals[outcome]} ${outcome}`)
  return [
    '',
    ...deviating.flatMap((check) => [...failureBlock(check, report), '']),
    ...erroredLines(report),
    ...missingLines(report),
    ...report.warnings.map((warning) => `warning: ${warning}`),
    `${report.apiVersion}  ${report.verdict}  ${counts.join(', ')}  (${report.requests.sent} requests, ${(report.durationMs / 1000).toFixed(1)} s)`,
  ]
}

function erroredLines(report: Report): string[] {
  const reasons = groupBy(
    report.checks.filter(({ outcome }) => outcome === 'errored'),
    ({ detail }) => detail,
  )
  return [...reasons].map(
    ([reason, checks]) => `ERRORED ${checks.length === 1 ? checks[0]?.id : `${checks.length} checks`}: ${reason}`,
  )
}

/** The needs that left most checks untested, the costliest first. */
function missingLines(report: Report): string[] {
  const untested = report.checks.filter(({ outcome }) => outcome === 'untested')
  const byNeed = groupBy(
    untested.flatMap((check) => check.missing.map((need) => ({ need, check }))),
    ({ need }) => need,
  )
  const ranked = [...byNeed].sort(([, a], [, b]) => b.length - a.length)
  const others = untested.filter(({ missing }) => missing.length === 0)
  return [
    ...ranked.map(
      ([need, checks]) => `UNTESTED ${checks.length} ${checks.length === 1 ? 'check' : 'checks'} for want of ${need}`,
    ),
    ...others.map((check) => `UNTESTED ${check.id}: ${check.detail}`),
  ]
}
