import type { ReportPart } from '../../record/report-parts.ts'
import type { Difference } from '../../record/run-record.ts'
import { counted, printable } from '../../text/format.ts'
import { failureBlock } from '../view/failure-block.ts'
import { type Finding, findingsOf } from '../view/findings.ts'
import { limited } from '../view/markup.ts'
import { countCells, isWrong, type PermissionMap } from '../view/permission-map.ts'
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
  const rest = limited(heads.slice(blocksAtMost), linesAtMost - blocksAtMost, (left) => `and ${left} more deviations`)
  return rest.length > 0 ? [...blocks, '', ...rest] : blocks
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

/** The permissions in which a part deviates: a line for each category, token kind and level, with the number of rows in each state. */
export function permissionLines(name: string, { columns, categories }: PermissionMap): string[] {
  const lines = categories.flatMap(({ title, rows }) =>
    columns.flatMap(({ kind, level }, index) => {
      const states = rows.map(({ cells }) => cells[index])
      const counts = countCells(states).map(({ words }) => words)
      return states.some(isWrong) ? [printable(`  ${title}, ${kind} with ${level}: ${counts.join(', ')}`)] : []
    }),
  )
  if (lines.length === 0) return []
  const shown = limited(lines, 20, (left) => `  and ${counted(left, 'more line')}`)
  return ['', `permissions under ${name} that deviate:`, ...shown]
}

/** The differences between the versions: the number of listed changes that were seen, and those that no change lists. */
export function differenceLines(differences: readonly Difference[]): string[] {
  if (differences.length === 0) return []
  const seen = new Set(differences.flatMap(({ change }) => change ?? []))
  const unlisted = differences.filter(({ change }) => change === undefined).map(differenceLine)
  const rest = unlisted.length === 0 ? 'nothing else differs' : `${unlisted.length} more that no change lists:`
  return [
    '',
    `differences between the versions: ${seen.size} of the 21 documented changes were seen; ${rest}`,
    ...limited(unlisted, 10, (left) => `  and ${left} more`),
  ]
}

function differenceLine({ endpoint, at, kind, older, newer }: Difference): string {
  return printable(`  ${endpoint} ${at}: ${kind}, ${older || 'absent'} → ${newer || 'absent'}`)
}
