import type { ReportPart } from '../../record/report-parts.ts'
import type { Difference } from '../../record/run-record.ts'
import { groupBy } from '../../text/data.ts'
import { counted, printable } from '../../text/format.ts'
import { failureBlock } from '../view/failure-block.ts'
import { causeOf, type Finding, findingsOf } from '../view/findings.ts'
import { limited } from '../view/markup.ts'
import { countCells, isWrong, type PermissionMap } from '../view/permission-map.ts'
import { paint, type Terminal } from './terminal.ts'

/** Deviations that the terminal prints with their evidence. */
const blocksAtMost = 8
/** Deviations that the terminal names. */
const linesAtMost = 40
/** Checks with the cause of a deviation that the terminal names. */
const equalAtMost = 5

type Cause = readonly [Finding, ...Finding[]]

/** The failures and warnings, each cause once. A `verbose` terminal gets every request of a deviation. */
export function deviationLines(parts: readonly ReportPart[], view: Terminal & { readonly verbose?: boolean }): string[] {
  const causes = [...groupBy(findingsOf(parts, ['failed', 'warned']), causeOf).values()] as unknown as Cause[]
  const heads = causes.map((cause) => headOf(cause, view))
  const blocks = causes
    .slice(0, blocksAtMost)
    .flatMap((cause, index) => ['', heads[index] ?? '', ...blockOf(cause, !view.verbose)])
  const rest = limited(heads.slice(blocksAtMost), linesAtMost - blocksAtMost, (left) => `and ${counted(left, 'more cause')}`)
  return rest.length > 0 ? [...blocks, '', ...rest] : blocks
}

function headOf([{ outcome, latest, names }, ...same]: Cause, view: Terminal): string {
  const more = same.length === 0 ? '' : ` and ${counted(same.length, 'check')} with the same cause`
  return `${paint(view, outcome, outcome.toUpperCase())} ${paint(view, 'strong', latest.check.id)} (${names.join(', ')})${more}`
}

function blockOf([{ latest, others }, ...same]: Cause, isShort: boolean): string[] {
  const also = others.map(({ part, check }) => `under ${part.name}: ${printable(check.deviation?.actual ?? check.detail)}`)
  const equal = same.map(({ latest: { check }, names }) => `${check.id} (${names.join(', ')})`)
  return [
    ...failureBlock(latest.check, latest.part.report, isShort).slice(1),
    ...also.map((line) => `  also      ${line}`),
    ...limited(equal, equalAtMost, (left) => `and ${counted(left, 'more check')}`).map((line) => `  same      ${line}`),
  ]
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
  const line = ({ endpoint, at, kind, older, newer }: Difference) =>
    printable(`  ${endpoint} ${at}: ${kind}, ${older || 'absent'} → ${newer || 'absent'}`)
  const unlisted = differences.filter(({ change }) => change === undefined).map(line)
  const rest = unlisted.length === 0 ? 'nothing else differs' : `${unlisted.length} more that no change lists:`
  return [
    '',
    `differences between the versions: ${seen.size} of the 21 documented changes were seen; ${rest}`,
    ...limited(unlisted, 10, (left) => `  and ${left} more`),
  ]
}
