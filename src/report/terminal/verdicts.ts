import { join } from 'node:path'
import { coverageOf, grouped, isThin, sumCoverage, verdictText } from '../../record/coverage.ts'
import { outcomes } from '../../record/outcome.ts'
import type { ReportPart } from '../../record/report-parts.ts'
import type { RunRecord } from '../../record/run-record.ts'
import { duration } from '../../text/duration.ts'
import { printable } from '../../text/show.ts'
import { meansText, targetArguments, targetText } from '../view/subject.ts'
import { type ConclusionView, paint } from './terminal.ts'

/** The last lines of a run: each verdict with its coverage, then that of the whole run, and where its page is. */
export function verdictLines(run: RunRecord, lanes: readonly ReportPart[], directory: string, view: ConclusionView): string[] {
  const coverage = sumCoverage(lanes.map(({ report }) => coverageOf(report.checks)))
  const style = run.verdict === 'conforms' && lanes.some(({ report }) => isThin(report.checks)) ? 'thin' : run.verdict
  return [
    '',
    `${printable(targetText(run))}  ${paint(view, 'quiet', `${run.suite.name} ${run.suite.version}, seed ${run.seed}`)}`,
    ...(run.preflight ? [paint(view, 'quiet', printable(meansText(run.preflight)))] : []),
    ...lanes.flatMap((lane) => laneLines(lane, view)),
    ...(run.interrupted ? [paint(view, 'inconclusive', 'interrupted: these reports are partial')] : []),
    `${paint(view, style, verdictText(run.verdict, coverage))}, gate ${run.gate.result}`,
    ...(style === 'thin'
      ? [
          `less than half of the must-level checks were judged, so this verdict says little; next step: service-conformance doctor${printable(targetArguments(run))}`,
        ]
      : []),
    view.formats.includes('html') ? `open ${join(directory, 'report.html')}` : `the reports are in ${directory}`,
  ]
}

function laneLines({ name, report }: ReportPart, view: ConclusionView): string[] {
  const { totals, requests, durationMs, verdict } = report
  const coverage = coverageOf(report.checks)
  const style = verdict === 'conforms' && isThin(report.checks) ? 'thin' : verdict
  const counts = outcomes
    .filter((outcome) => totals[outcome] > 0)
    .map((outcome) => paint(view, outcome, `${grouped(totals[outcome])} ${outcome}`))
  return [
    `${paint(view, 'strong', name)}  ${paint(view, style, verdictText(verdict, coverage))}`,
    `  ${counts.join(', ')}; ${grouped(requests.sent)} ${requests.sent === 1 ? 'request' : 'requests'} in ${duration(durationMs)}`,
  ]
}
