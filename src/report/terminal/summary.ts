import type { CheckRecord } from '../../record/check-record.ts'
import { grouped } from '../../record/coverage.ts'
import { type ReportPart, reportParts } from '../../record/report-parts.ts'
import type { RunRecord } from '../../record/run-record.ts'
import type { Report } from '../../record/version-report.ts'
import { counted, printable } from '../../text/format.ts'
import { type Cause, erroredCauses, untestedCauses } from '../view/causes.ts'
import { findingsOf } from '../view/findings.ts'
import { permissionMapOf } from '../view/permission-map.ts'
import { targetArguments } from '../view/subject.ts'
import { deviationLines } from './deviations.ts'
import { renderDifferences } from './differences.ts'
import { permissionLines } from './permissions.ts'
import { type ConclusionView, paint, type Terminal } from './terminal.ts'
import { verdictLines } from './verdicts.ts'

const plain: ConclusionView = { colours: false, formats: [] }

/**
 * The end of a run on the terminal: deviations, waived checks, causes of missing verdicts. The verdicts with their coverage and the
 * path of the page come last, so that they are on the screen when the run ends. Text from the target is printable.
 */
export function renderConclusion(
  run: RunRecord,
  reports: readonly Report[],
  directory: string,
  view: ConclusionView = plain,
): string[] {
  const parts = reportParts({ run, reports })
  return [
    ...(run.crossVersion.ignoresVersion ? ['', printable(run.crossVersion.ignoresVersion)] : []),
    ...deviationLines(parts, view),
    ...waivedLines(parts, view),
    ...erroredLines(parts, view),
    ...parts.flatMap(({ name, report }) => permissionLines(name, permissionMapOf(report.permissions))),
    ...renderDifferences(run.crossVersion.differences),
    ...untestedLines(run, parts, view),
    ...noticeLines(run, parts),
    ...verdictLines(run, parts, directory, view),
  ]
}

/** Lines of one kind that the terminal prints; the page has the rest. */
const namedAtMost = 5

/** The known deviations that a waiver accepts, each once. */
function waivedLines(parts: readonly ReportPart[], view: Terminal): string[] {
  const waived = findingsOf(parts, ['waived']).map(({ latest }) => latest.check)
  if (waived.length === 0) return []
  const line = ({ id, detail }: CheckRecord) => `${paint(view, 'waived', 'WAIVED')} ${id}: ${printable(detail)}`
  return ['', ...waived.slice(0, namedAtMost).map(line), ...moreLine(waived.length, 'waived check')]
}

function erroredLines(parts: readonly ReportPart[], view: Terminal): string[] {
  const causes = erroredCauses(parts)
  if (causes.length === 0) return []
  const line = ({ phrase, checks }: Cause) =>
    `${paint(view, 'errored', 'ERRORED')} ${checks.length === 1 ? checks[0]?.id : `${grouped(checks.length)} checks`}: ${printable(phrase)}`
  return ['', ...causes.slice(0, namedAtMost).map(line), ...moreLine(causes.length, 'reason')]
}

function moreLine(found: number, noun: string): string[] {
  return found > namedAtMost ? [`and ${counted(found - namedAtMost, `more ${noun}`)}`] : []
}

/** The most frequent causes of untested checks, and the command that explains how to provide the needs. */
function untestedLines(run: RunRecord, parts: readonly ReportPart[], view: Terminal): string[] {
  const causes = untestedCauses(parts)
  if (causes.length === 0) return []
  const untested = parts.reduce((sum, { report }) => sum + report.totals.untested, 0)
  const width = grouped(causes[0]?.checks.length ?? 0).length
  const left = causes.length - namedAtMost
  const step = `next step: service-conformance doctor${printable(targetArguments(run))}`
  return [
    '',
    `${paint(view, 'untested', 'UNTESTED')} ${grouped(untested)} ${untested === 1 ? 'check' : 'checks'}:`,
    ...causes
      .slice(0, namedAtMost)
      .map(({ phrase, checks }) => `  ${grouped(checks.length).padStart(width)}  ${printable(phrase)}`),
    ...(causes.every(({ leftOut }) => leftOut)
      ? []
      : [left > 0 ? `${step}, which also names ${counted(left, 'other cause')}` : step]),
  ]
}

/** Objects on the target that the terminal names; run.json has the rest. */
const leftAtMost = 3

function noticeLines(run: RunRecord, parts: readonly ReportPart[]): string[] {
  const { leftBehind: left } = run
  const more = left.length > leftAtMost ? ` and ${left.length - leftAtMost} more (run.json)` : ''
  const warnings = new Set(parts.flatMap(({ report }) => report.warnings))
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
