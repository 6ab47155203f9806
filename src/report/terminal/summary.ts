import { outcomes } from '../../record/outcome.ts'
import { type ReportLane, reportLanes } from '../../record/records.ts'
import type { Report } from '../../record/report.ts'
import type { RunRecord } from '../../record/run-record.ts'
import { groupBy } from '../../text/group.ts'
import { printable } from '../../text/show.ts'
import { failureBlock } from '../evidence/failure-block.ts'
import { renderDifferences } from './differences.ts'
import { renderHeatMap } from './heat-map.ts'
import { renderAdvice } from './token-advice.ts'

/** The end of a run on the terminal: what deviates and what was missing in each lane, then the verdicts and the gate. */
export function renderConclusion(run: RunRecord, reports: readonly Report[], directory: string): string[] {
  const lanes = reportLanes({ run, reports })
  return [
    ...(run.crossVersion.ignoresVersion ? ['', printable(run.crossVersion.ignoresVersion)] : []),
    ...lanes.flatMap(renderSummary),
    ...renderDifferences(run.crossVersion.differences),
    ...leftBehindLines(run.leftBehind),
    ...run.gate.warnings.map((text) => `soon: ${printable(text)}`),
    ...run.gate.missed.map((text) => `gate: ${printable(text)}`),
    ...(run.interrupted ? ['interrupted: these reports are partial'] : []),
    `seed ${run.seed}, reports in ${directory}`,
  ]
}

/** Things left behind that are named; the rest stands in run.json. */
const namedAtMost = 3

function leftBehindLines(left: readonly string[]): string[] {
  if (left.length === 0) return []
  const more = left.length > namedAtMost ? ` and ${left.length - namedAtMost} more (run.json)` : ''
  return [`left behind on the target: ${left.slice(0, namedAtMost).map(printable).join(', ')}${more}`]
}

function renderSummary({ name, report }: ReportLane): string[] {
  const deviating = report.checks.filter(({ outcome }) => outcome === 'failed' || outcome === 'warned')
  const counts = outcomes.filter((outcome) => report.totals[outcome] > 0).map((outcome) => `${report.totals[outcome]} ${outcome}`)
  return [
    '',
    ...deviating.flatMap((check) => [...failureBlock(check, report), '']),
    ...erroredLines(report),
    ...missingLines(report),
    ...renderAdvice(report.checks),
    ...(report.permissions.some(({ cell }) => cell !== 'undecided') ? renderHeatMap(name, report.permissions) : []),
    ...report.warnings.map((warning) => `warning: ${printable(warning)}`),
    `${name}  ${report.verdict}  ${counts.join(', ')}  (${report.requests.sent} requests, ${(report.durationMs / 1000).toFixed(1)} s)`,
  ]
}

function erroredLines(report: Report): string[] {
  const reasons = groupBy(
    report.checks.filter(({ outcome }) => outcome === 'errored'),
    ({ detail }) => detail,
  )
  return [...reasons].map(
    ([reason, checks]) => `ERRORED ${checks.length === 1 ? checks[0]?.id : `${checks.length} checks`}: ${printable(reason)}`,
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
    ...ranked.map(([need, checks]) => `UNTESTED ${checks.length} ${checks.length === 1 ? 'check' : 'checks'}: missing ${need}`),
    ...others.map((check) => `UNTESTED ${check.id}: ${printable(check.detail)}`),
  ]
}
