import { cut } from '../../text/show.ts'
import { cellMarks, cellStates, isWrong, type PermissionColumn, type PermissionMap } from '../view/permission-map.ts'

const legend = '▲ too permissive  ▼ too restrictive  ? undecided  ✓ granted  ⊘ refused'

const columnsLegend =
  'columns: user = app-user, inst. = app-installation, fine = fine-grained, each by the level of the permission'

/** The least width of a category's name. Characters. */
const shortestTitle = 16

/** A category with the tallies of its columns. */
interface Line {
  readonly title: string
  readonly tallies: readonly string[]
  /** For each column: true where the target deviates. */
  readonly wrong: readonly boolean[]
}

/**
 * The permission map on the terminal: a line for each category with a deviation, a column for each token kind and level. Where the
 * terminal is too narrow, columns without a deviation are left out.
 */
export function renderHeatMap(name: string, { columns, categories }: PermissionMap, width: number): string[] {
  const lines = categories.map((category): Line => {
    const states = columns.map((_, index) => category.rows.map(({ cells }) => cells[index]))
    const wrong = states.map((column) => column.some(isWrong))
    return { title: category.title, tallies: states.map(tally), wrong }
  })
  const deviating = lines.filter(({ wrong }) => wrong.includes(true))
  if (deviating.length === 0) return []
  const all = columns.map((_, index) => index)
  const some = all.filter((index) => deviating.some(({ wrong }) => wrong[index]))
  const shown = width - widthOf(deviating, all) >= shortestTitle ? all : some
  return ['', `permissions under ${name} that deviate:`, legend, columnsLegend, ...drawn(deviating, columns, shown, width)]
}

function drawn(lines: readonly Line[], columns: readonly PermissionColumn[], shown: readonly number[], width: number): string[] {
  const room = Math.max(shortestTitle, width - widthOf(lines, shown))
  const titleWidth = Math.min(Math.max(...lines.map(({ title }) => title.length)), room)
  const line = (title: string, values: readonly string[]) =>
    [title.padEnd(titleWidth), ...shown.map((index) => (values[index] ?? '').padEnd(columnWidth(lines, index)))]
      .join('  ')
      .trimEnd()
  const kindOf = (index: number) => columns[index]?.kind ?? ''
  const heads = columns.map((_, index) => {
    const before = shown[shown.indexOf(index) - 1]
    return before !== undefined && kindOf(before) === kindOf(index) ? '' : (shortKinds[kindOf(index)] ?? kindOf(index))
  })
  return [
    line('', heads),
    line(
      '',
      columns.map(({ level }) => level),
    ),
    ...lines.map(({ title, tallies }) => line(title.length > titleWidth ? cut(title, titleWidth - 1) : title, tallies)),
  ]
}

/** Kinds in the width of one column. */
const shortKinds: Readonly<Record<string, string>> = { 'app-user': 'user', 'app-installation': 'inst.', 'fine-grained': 'fine' }

function widthOf(lines: readonly Line[], shown: readonly number[]): number {
  return shown.reduce((sum, index) => sum + 2 + columnWidth(lines, index), 0)
}

function columnWidth(lines: readonly Line[], index: number): number {
  return Math.max('write'.length, ...lines.map(({ tallies }) => tallies[index]?.length ?? 0))
}

/** `▲1 ⊘3`: the number of rows in each state. */
function tally(states: readonly (string | null | undefined)[]): string {
  const counts = cellStates.map((state) => ({ state, count: states.filter((one) => one === state).length }))
  return counts.flatMap(({ state, count }) => (count > 0 ? [`${cellMarks[state]}${count}`] : [])).join(' ')
}
