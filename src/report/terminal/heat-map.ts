import type { PermissionCell } from '../../record/version-report.ts'
import { groupBy } from '../../text/group.ts'
import { cut } from '../../text/show.ts'

/** How a cell is drawn, the worst first; each with the number of rows. */
const marks: Readonly<Record<PermissionCell['cell'], string>> = {
  'too-permissive': '▲',
  'too-restrictive': '▼',
  undecided: '?',
  granted: '✓',
  refused: '⊘',
}

const legend = '▲ too permissive  ▼ too restrictive  ? undecided  ✓ granted  ⊘ refused'

const columnsLegend =
  'columns: user = app-user, inst. = app-installation, fine = fine-grained, each by the level that the token holds'

const kinds = ['app-user', 'app-installation', 'fine-grained', 'classic', 'app']
const levels = ['none', 'read', 'write']

/** A column of the matrix: a token kind and the level that it holds. */
type Column = readonly [kind: string, level: string]

/** Characters that a category's name keeps at least. */
const shortestTitle = 16

/**
 * The permission matrix for the terminal, only where something is wrong: a line for each category with a deviation, a column for each
 * token kind and level. Columns without a deviation are left out where the terminal is too narrow for all.
 */
export function renderHeatMap(name: string, cells: readonly PermissionCell[], columns: number): string[] {
  const categories = [...groupBy(cells, ({ owner, category }) => `${owner}: ${category}`)].filter(([, of]) => of.some(isWrong))
  if (categories.length === 0) return []
  const all = kinds
    .flatMap((kind) => levels.map((level): Column => [kind, level]))
    .filter((column) => cellsOf(cells, column).length > 0)
  const wrong = all.filter((column) => categories.some(([, of]) => cellsOf(of, column).some(isWrong)))
  const shown = [all, wrong].find((candidate) => columns - widthOf(categories, candidate) >= shortestTitle) ?? wrong
  return ['', `permissions under ${name} that deviate:`, legend, columnsLegend, ...drawn(categories, shown, columns)]
}

type Categories = readonly (readonly [title: string, cells: readonly PermissionCell[]])[]

function drawn(categories: Categories, shown: readonly Column[], columns: number): string[] {
  const widths = shown.map((column) => columnWidth(categories, column))
  const longest = Math.max(...categories.map(([title]) => title.length))
  const room = Math.max(shortestTitle, columns - widthOf(categories, shown))
  const width = Math.min(longest, room)
  const line = (title: string, values: readonly string[]) =>
    [title.padEnd(width), ...values.map((value, index) => value.padEnd(widths[index] ?? 0))].join('  ').trimEnd()
  return [
    line(
      '',
      shown.map(([kind], index) => (kind === shown[index - 1]?.[0] ? '' : shortKinds[kind]) ?? kind),
    ),
    line(
      '',
      shown.map(([, level]) => level),
    ),
    ...categories.map(([title, of]) =>
      line(
        title.length > width ? cut(title, width - 1) : title,
        shown.map((column) => tally(cellsOf(of, column))),
      ),
    ),
  ]
}

/** Kinds in the width of one column. */
const shortKinds: Readonly<Record<string, string>> = { 'app-user': 'user', 'app-installation': 'inst.', 'fine-grained': 'fine' }

function widthOf(categories: Categories, shown: readonly Column[]): number {
  return shown.reduce((sum, column) => sum + 2 + columnWidth(categories, column), 0)
}

function columnWidth(categories: Categories, column: Column): number {
  return Math.max('write'.length, ...categories.map(([, of]) => tally(cellsOf(of, column)).length))
}

function cellsOf(cells: readonly PermissionCell[], [kind, level]: Column): PermissionCell[] {
  return cells.filter(({ tokenKind, access }) => tokenKind === kind && access === level)
}

function isWrong({ cell }: PermissionCell): boolean {
  return cell === 'too-permissive' || cell === 'too-restrictive'
}

/** `▲1 ⊘3`: how many rows came to what. */
function tally(cells: readonly PermissionCell[]): string {
  const counts = (Object.keys(marks) as PermissionCell['cell'][]).map((kind) => ({
    mark: marks[kind],
    count: cells.filter(({ cell }) => cell === kind).length,
  }))
  return counts.flatMap(({ mark, count }) => (count > 0 ? [`${mark}${count}`] : [])).join(' ')
}
