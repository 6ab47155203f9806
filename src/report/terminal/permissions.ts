import { counted, printable } from '../../text/format.ts'
import { cellStates, isWrong, type PermissionMap } from '../view/permission-map.ts'

/** Lines of the list on the terminal; the page has the whole map. */
const linesAtMost = 20

/** The permissions in which a part deviates: a line for each category, token kind and level, with the number of rows in each state. */
export function permissionLines(name: string, { columns, categories }: PermissionMap): string[] {
  const lines = categories.flatMap(({ title, rows }) =>
    columns.flatMap(({ kind, level }, index) => {
      const states = rows.map(({ cells }) => cells[index])
      return states.some(isWrong) ? [`  ${title}, ${kind} with ${level}: ${tally(states)}`] : []
    }),
  )
  if (lines.length === 0) return []
  const left = lines.length - linesAtMost
  const more = left > 0 ? [`  and ${counted(left, 'more line')}`] : []
  return ['', `permissions under ${name} that deviate:`, ...lines.slice(0, linesAtMost).map(printable), ...more]
}

/** `1 too permissive, 3 refused`. */
function tally(states: readonly (string | null | undefined)[]): string {
  const counts = cellStates.map((state) => ({ state, count: states.filter((one) => one === state).length }))
  return counts.flatMap(({ state, count }) => (count > 0 ? [`${count} ${state.replace('-', ' ')}`] : [])).join(', ')
}
