import type { Totals } from '../../record/run-record.ts'
import { grouped } from '../../text/format.ts'
import { text } from '../view/markup.ts'
import { filtered, filters, groupsOf, type Implementation, type Matrix } from './matrix.ts'

/** The matrix for programs: areas and endpoints with their totals, above the claims. */
export function matrixJson({ claims, ...matrix }: Matrix) {
  const areas = groupsOf(claims, 'area').map((area) => ({
    area: area.name,
    totals: area.cells,
    endpoints: groupsOf(area.claims, 'endpoint').map((endpoint) => ({
      endpoint: endpoint.name,
      totals: endpoint.cells,
      claims: endpoint.claims.map(({ area: _, endpoint: __, ...claim }) => claim),
    })),
  }))
  return { ...matrix, areas }
}

/** The matrix as a table for a README: verdicts, then the passed checks of each area. */
export function matrixMarkdown(matrix: Matrix) {
  const { implementations, lanes, claims, cautions, by } = matrix
  const columns = (title: string, cellOf: (one: Implementation, column: number) => string) =>
    row(title, implementations.map(cellOf))
  const areas = groupsOf(claims, 'area').map(({ name, cells }) => row(name, cells.map(passedText)))
  const legend = `An area lists the passed among the judged ${by}s, each in every version. ${marks.failed}: a failure. ${marks.warned}: a warning.`
  return [
    columns('', ({ name, version = '' }) => text(`${name} ${version}`.trim())),
    `|${'---|'.repeat(implementations.length + 1)}`,
    columns('date', ({ date = '', notes }) => text([date, ...notes].join('; '))),
    ...lanes.map((lane) => columns(lane, (one) => laneText(one.lanes[lane]))),
    ...areas,
    ...(['only-red', 'untested'] as const).map((filter) =>
      columns(filters[filter], (_, column) => grouped(filtered(claims, filter, column).length)),
    ),
    '',
    legend,
    ...cautions.map((caution) => `\n> ${text(caution)}`),
    '',
  ].join('\n')
}

/** A row of the table. Its cells are escaped already. */
const row = (title: string, cells: readonly string[]) =>
  `| ${[text(title), ...cells].join(' | ')} |`

const marks = {
  conforms: '✅',
  deviates: '❌',
  inconclusive: '❔',
  failed: '❌',
  warned: '⚠️',
} as const

function laneText(lane: Implementation['lanes'][string] | undefined) {
  return lane ? `${marks[lane.verdict]} ${lane.words}, ${lane.judged} judged` : 'not judged'
}

function passedText({ passed, failed, warned, waived }: Totals) {
  const judged = passed + failed + warned + waived
  if (judged === 0) return 'not judged'
  const share = `${grouped(passed)} of ${grouped(judged)}`
  if (failed > 0) return `${marks.failed} ${share}`
  return warned > 0 ? `${marks.warned} ${share}` : share
}
