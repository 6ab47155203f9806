import type { PermissionCell } from '../run/record.ts'
import { groupBy } from './group.ts'

/** How a cell is drawn; where cells of one category differ, the first of these is shown with its count. */
const marks: Readonly<Record<PermissionCell['cell'], string>> = {
  'too-permissive': '▲',
  'too-restrictive': '▼',
  undecided: '?',
  granted: '✓',
  refused: '⊘',
}

const legend = '✓ granted  ⊘ refused  ▲ too permissive  ▼ too restrictive  ? undecided (with the number of rows)'

const columns = ['app-user', 'app-installation', 'fine-grained'].flatMap((kind) =>
  ['none', 'read', 'write'].map((access) => ({ kind, access })),
)

/** The permission heat map for the terminal: a line for each category, a column for each token kind and the level it holds. */
export function renderHeatMap(name: string, cells: readonly PermissionCell[]): string[] {
  if (cells.length === 0) return []
  const categories = groupBy(cells, ({ owner, category }) => `${owner}: ${category}`)
  const width = Math.max(...[...categories.keys()].map(({ length }) => length))
  const line = (title: string, values: readonly string[]) =>
    [title.padEnd(width), ...values.map((value) => value.padEnd(5))].join('  ').trimEnd()
  return [
    '',
    `permissions under ${name}  ${legend}`,
    line(
      '',
      columns.map(({ kind, access }) => (access === 'none' ? kind.slice(0, 5) : '')),
    ).replace(/app-u\s+/, 'app user'.padEnd(21)),
    line(
      '',
      columns.map(({ access }) => access),
    ),
    ...[...categories].map(([title, of]) =>
      line(
        title,
        columns.map((column) =>
          shown(of.filter(({ tokenKind, access }) => tokenKind === column.kind && access === column.access)),
        ),
      ),
    ),
  ]
}

function shown(cells: readonly PermissionCell[]): string {
  const counts = (Object.keys(marks) as PermissionCell['cell'][]).map((kind) => ({
    kind,
    count: cells.filter(({ cell }) => cell === kind).length,
  }))
  const worst = counts.find(({ count }) => count > 0)
  return worst ? `${marks[worst.kind]}${worst.count === cells.length ? '' : `${worst.count}/`}${cells.length}` : ''
}
