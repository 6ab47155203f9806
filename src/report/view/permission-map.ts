import type { ReportLane } from '../../record/report-lanes.ts'
import type { PermissionCell } from '../../record/run-record.ts'
import { groupBy } from '../../text/data.ts'
import { grouped } from '../../text/format.ts'

type CellState = PermissionCell['cell']

/** The mark of each state, the worst state first. */
export const cellMarks: Readonly<Record<CellState, string>> = {
  'too-permissive': '▲',
  'too-restrictive': '▼',
  undecided: '?',
  granted: '✓',
  refused: '⊘',
}

const cellStates = Object.keys(cellMarks) as readonly CellState[]

/** The permission heat map of one lane of a report. A column is a token kind with a level of the permission. */
export interface PermissionMap {
  readonly columns: readonly { readonly kind: string; readonly level: string }[]
  readonly categories: readonly {
    readonly title: string
    /** The state of an endpoint in each column; null if no check judges it. */
    readonly rows: readonly {
      readonly endpoint: string
      readonly cells: readonly (CellState | null)[]
    }[]
  }[]
}

const kinds = ['app-user', 'app-installation', 'fine-grained', 'classic', 'app']
const levels = ['none', 'read', 'write']

/** Arranges cells as a map. */
export function permissionMapOf(cells: readonly PermissionCell[]) {
  const columns = kinds
    .flatMap((kind) => levels.map((level) => ({ kind, level })))
    .filter((column) => cells.some((cell) => isIn(cell, column)))
  const categories = [...groupBy(cells, ({ owner, category }) => `${owner}: ${category}`)].map(
    ([title, of]) => ({
      title,
      rows: [...groupBy(of, ({ row }) => row)].map(([endpoint, row]) => ({
        endpoint,
        cells: columns.map((column) =>
          worstOf(row.filter((cell) => isIn(cell, column)).map(({ cell }) => cell)),
        ),
      })),
    }),
  )
  return { columns, categories }
}

/** The distinct maps of the lanes, each with the names of the lanes that have it. */
export function permissionMaps(lanes: readonly ReportLane[]) {
  const maps = lanes.map(({ name, report }) => ({ name, map: permissionMapOf(report.permissions) }))
  const distinct = [...groupBy(maps, ({ map }) => JSON.stringify(map)).values()]
  return distinct.flatMap((same) =>
    same.slice(0, 1).map(({ map }) => ({ map, names: same.map(({ name }) => name).join(', ') })),
  )
}

function isIn(
  { tokenKind, access }: PermissionCell,
  { kind, level }: PermissionMap['columns'][number],
) {
  return tokenKind === kind && access === level
}

/** The worst of some states; null if there are none. */
export function worstOf(states: readonly (CellState | null)[]) {
  return cellStates.find((state) => states.includes(state)) ?? null
}

/** The states that occur with their numbers, the worst first. */
export function countCells(cells: readonly (CellState | null | undefined)[]) {
  return cellStates
    .map((state) => ({ state, count: cells.filter((cell) => cell === state).length }))
    .filter(({ count }) => count > 0)
    .map((one) => ({ ...one, words: `${grouped(one.count)} ${one.state.replace('-', ' ')}` }))
}
