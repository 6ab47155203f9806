import { join } from 'node:path'
import { coverageOf, grouped, runVerdictText, selectionText, verdictText } from '../../record/coverage.ts'
import { outcomes } from '../../record/outcome.ts'
import type { ReportPart } from '../../record/report-parts.ts'
import type { RunRecord } from '../../record/run-record.ts'
import { duration, printable } from '../../text/format.ts'
import { meansText, runCoverage, targetArguments, targetText, verdictStyle } from '../view/subject.ts'
import { type ConclusionView, paint } from './terminal.ts'

/** The last lines of a run: the verdict of each part with its coverage, the verdict of the run, and the path of its page. */
export function verdictLines(run: RunRecord, parts: readonly ReportPart[], directory: string, view: ConclusionView): string[] {
  const style = verdictStyle(run.verdict, parts)
  return [
    '',
    `${printable(targetText(run))}  ${paint(view, 'quiet', `${run.suite.name} ${run.suite.version}, seed ${run.seed}`)}`,
    ...(run.preflight ? [paint(view, 'quiet', printable(meansText(run.preflight)))] : []),
    ...parts.flatMap((part) => partLines(part, view)),
    ...(run.interrupted ? [paint(view, 'inconclusive', 'interrupted: these reports are partial')] : []),
    `${paint(view, style, runVerdictText(run.verdict, runCoverage(parts), run.selection))}, gate ${run.gate.result}`,
    ...(run.selection ? [paint(view, 'quiet', printable(selectionText(run.selection)))] : []),
    ...(style === 'thin'
      ? [
          `less than half of the must-level checks were judged, so this verdict says little; next step: service-conformance doctor${printable(targetArguments(run))}`,
        ]
      : []),
    view.formats.includes('html') ? `open ${join(directory, 'report.html')}` : `the reports are in ${directory}`,
  ]
}

function partLines(part: ReportPart, view: ConclusionView): string[] {
  const { totals, requests, durationMs, verdict, checks } = part.report
  const counts = outcomes
    .filter((outcome) => totals[outcome] > 0)
    .map((outcome) => paint(view, outcome, `${grouped(totals[outcome])} ${outcome}`))
  return [
    `${paint(view, 'strong', part.name)}  ${paint(view, verdictStyle(verdict, [part]), verdictText(verdict, coverageOf(checks), part.selection))}`,
    `  ${counts.join(', ')}; ${grouped(requests.sent)} ${requests.sent === 1 ? 'request' : 'requests'} in ${duration(durationMs)}`,
  ]
}
