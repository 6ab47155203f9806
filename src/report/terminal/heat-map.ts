import type { PermissionCell } from '../../record/report.ts'
import { groupBy } from '../../text/group.ts'

/** How a cell is drawn, the worst first; each with the number of rows. */
const marks: Readonly<Record<PermissionCell['cell'], string>> = {
  'too-permissive': '▲',
  'too-restrictive': '▼',
  undecided: '?',
  granted: '✓',
  refused: '⊘',
}

const legend = '✓ granted  ⊘ refused  ▲ too permissive  ▼ too restrictive  ? undecided'

const kinds = ['app-user', 'app-installation', 'fine-grained']
const levels = ['none', 'read', 'write']
/** Characters of one column; a kind's name spans its levels. */
const cellWidth = 7

/** The permission heat map for the terminal: a line for each category, a column for each token kind and the level it holds. */
export function renderHeatMap(name: string, cells: readonly PermissionCell[]): string[] {
  if (cells.length === 0) return []
  const categories = groupBy(cells, ({ owner, category }) => `${owner}: ${category}`)
  const width = Math.max(...[...categories.keys()].map(({ length }) => length))
  const line = (title: string, values: readonly string[], each: number) =>
    [title.padEnd(width), ...values.map((value) => value.padEnd(each))].join('  ').trimEnd()
  return [
    '',
    `permissions under ${name}, in rows: ${legend}`,
    line('', kinds, levels.length * (cellWidth + 2) - 2),
    line(
      '',
      kinds.flatMap(() => levels),
      cellWidth,
    ),
    ...[...categories].map(([title, of]) => line(title, columnsOf(of), cellWidth)),
  ]
}

function columnsOf(cells: readonly PermissionCell[]): string[] {
  return kinds.flatMap((kind) =>
    levels.map((level) => shown(cells.filter(({ tokenKind, access }) => tokenKind === kind && access === level))),
  )
}

/** `▲1 ⊘3`: how many rows came to what. */
function shown(cells: readonly PermissionCell[]): string {
  const counts = (Object.keys(marks) as PermissionCell['cell'][]).map((kind) => ({
    mark: marks[kind],
    count: cells.filter(({ cell }) => cell === kind).length,
  }))
  return counts.flatMap(({ mark, count }) => (count > 0 ? [`${mark}${count}`] : [])).join(' ')
}
