import type { CheckRecord } from '../../record/check-record.ts'
import { grouped } from '../../record/coverage.ts'
import { type ReportPart, reportParts } from '../../record/report-parts.ts'
import type { RunRecord } from '../../record/run-record.ts'
import type { Report } from '../../record/version-report.ts'
import { counted } from '../../text/counted.ts'
import { groupBy } from '../../text/group.ts'
import { printable } from '../../text/show.ts'
import { deviationLines } from './deviations.ts'
import { renderDifferences } from './differences.ts'
import { renderHeatMap } from './heat-map.ts'
import { type ConclusionView, paint, type Terminal } from './terminal.ts'
import { untestedLines } from './untested.ts'
import { verdictLines } from './verdicts.ts'

const plain: ConclusionView = { columns: 120, colours: false, formats: [] }

/**
 * The end of a run on the terminal: what deviates, what was waived, what was missing. The verdicts with their coverage and the
 * path of the page come last, so that they are on the screen when the run is over. Text from the target is printable.
 */
export function renderConclusion(
  run: RunRecord,
  reports: readonly Report[],
  directory: string,
  view: ConclusionView = plain,
): string[] {
  const lanes = reportParts({ run, reports })
  return [
    ...(run.crossVersion.ignoresVersion ? ['', printable(run.crossVersion.ignoresVersion)] : []),
    ...deviationLines(lanes, view),
    ...waivedLines(lanes, view),
    ...erroredLines(lanes, view),
    ...lanes.flatMap(({ name, report }) => renderHeatMap(name, report.permissions, view.columns)),
    ...renderDifferences(run.crossVersion.differences),
    ...untestedLines(run, lanes, view),
    ...noticeLines(run, lanes),
    ...verdictLines(run, lanes, directory, view),
  ]
}

/** Lines of one kind that the terminal names; the page has the rest. */
const namedAtMost = 5

/** The known deviations that a waiver accepts, each once. */
function waivedLines(lanes: readonly ReportPart[], view: Terminal): string[] {
  const waived = lanes.flatMap(({ report }) => report.checks.filter(({ outcome }) => outcome === 'waived'))
  const byCheck = [...groupBy(waived, ({ id }) => id).values()].flatMap(([first]) => first ?? [])
  if (byCheck.length === 0) return []
  const line = ({ id, detail }: CheckRecord) => `${paint(view, 'waived', 'WAIVED')} ${id}: ${printable(detail)}`
  return ['', ...byCheck.slice(0, namedAtMost).map(line), ...moreLine(byCheck.length, 'waived check')]
}

/** The reasons for which checks could not be judged, the most frequent first. */
function erroredLines(lanes: readonly ReportPart[], view: Terminal): string[] {
  const errored = lanes.flatMap(({ report }) => report.checks.filter(({ outcome }) => outcome === 'errored'))
  const reasons = [...groupBy(errored, ({ detail }) => detail)].sort(([, a], [, b]) => b.length - a.length)
  if (reasons.length === 0) return []
  const line = ([reason, checks]: [string, CheckRecord[]]) =>
    `${paint(view, 'errored', 'ERRORED')} ${checks.length === 1 ? checks[0]?.id : `${grouped(checks.length)} checks`}: ${printable(reason)}`
  return ['', ...reasons.slice(0, namedAtMost).map(line), ...moreLine(reasons.length, 'reason')]
}

function moreLine(found: number, noun: string): string[] {
  return found > namedAtMost ? [`and ${counted(found - namedAtMost, `more ${noun}`)}`] : []
}

/** Things left behind that are named; the rest is in run.json. */
const leftAtMost = 3

function noticeLines(run: RunRecord, lanes: readonly ReportPart[]): string[] {
  const { leftBehind: left } = run
  const more = left.length > leftAtMost ? ` and ${left.length - leftAtMost} more (run.json)` : ''
  const warnings = new Set(lanes.flatMap(({ report }) => report.warnings))
  const lines = [
    ...[...warnings].map((warning) => `warning: ${printable(warning)}`),
    ...(left.length === 0
      ? []
      : [`note: these remain on the target: ${left.slice(0, leftAtMost).map(printable).join(', ')}${more}`]),
    ...run.gate.warnings.map((text) => `soon: ${printable(text)}`),
    ...run.gate.missed.map((text) => `gate: ${printable(text)}`),
    ...(run.interrupted ? [] : run.gate.open.map((text) => `inconclusive: ${printable(text)}`)),
  ]
  return lines.length === 0 ? [] : ['', ...lines]
}
