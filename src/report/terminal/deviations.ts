import type { ReportPart } from '../../record/report-parts.ts'
import { printable } from '../../text/format.ts'
import { failureBlock } from '../view/failure-block.ts'
import { type Finding, findingsOf } from '../view/findings.ts'
import { paint, type Terminal } from './terminal.ts'

/** Deviations that the terminal prints with their evidence. */
const blocksAtMost = 8
/** Deviations that the terminal names. */
const linesAtMost = 40

/** The failures and warnings, each once with its versions. */
export function deviationLines(parts: readonly ReportPart[], view: Terminal): string[] {
  const findings = findingsOf(parts, ['failed', 'warned'])
  const heads = findings.map((finding) => headOf(finding, view))
  const blocks = findings.slice(0, blocksAtMost).flatMap((finding, index) => ['', heads[index] ?? '', ...blockOf(finding)])
  const rest = heads.slice(blocksAtMost, linesAtMost)
  const left = heads.length - linesAtMost
  return [...blocks, ...(rest.length > 0 ? ['', ...rest] : []), ...(left > 0 ? [`and ${left} more deviations`] : [])]
}

function headOf({ outcome, latest, names }: Finding, view: Terminal): string {
  return `${paint(view, outcome, outcome.toUpperCase())} ${paint(view, 'strong', latest.check.id)} (${names.join(', ')})`
}

function blockOf({ latest, others }: Finding): string[] {
  const also = others.map(
    ({ part, check }) => `  also      under ${part.name}: ${printable(check.deviation?.actual ?? check.detail)}`,
  )
  return [...failureBlock(latest.check, latest.part.report).slice(1), ...also]
}
