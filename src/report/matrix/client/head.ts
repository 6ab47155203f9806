import { counted, grouped } from '../../../text/format.ts'
import {
  type Filter,
  filtered,
  filters,
  type Implementation,
  type Matrix,
} from '../../comparison/matrix.ts'
import { type Child, disclosure, h, list, table } from '../../html/client/dom.ts'
import { bar } from './bar.ts'

/** The title of the page, its cautions and the facts about each run. */
export function header({ implementations, claims, cautions, by }: Matrix) {
  const differing = filtered(claims, 'differs').length
  const facts = implementations.map(({ name, version = '', target, date = '', suite, notes }) => [
    name,
    version,
    target,
    date,
    suite.version,
    notes.join('; '),
  ])
  const columns = ['name', 'release', 'target', 'date', 'suite', 'run']
  const differ = h('a', { href: '#?show=differs' }, `${grouped(differing)} differ`)
  return h(
    'header',
    {},
    h('h1', {}, `${counted(implementations.length, 'implementation')} compared`),
    h('p', { class: 'coverage' }, `${counted(claims.length, by)}: `, differ),
    ...list('notes', cautions),
    disclosure({ class: 'setup' }, ['The runs'], () => table('The runs', columns, facts)),
  )
}

/** The table with a column for each implementation. `body` are its areas. */
export function matrixTable(matrix: Matrix, body: HTMLElement) {
  const { implementations, lanes } = matrix
  const heads = implementations.map(columnHead)
  const summary = h(
    'tbody',
    { class: 'summary' },
    ...lanes.map((name) =>
      summaryRow(
        name,
        implementations.map((one) => laneCell(one, name)),
      ),
    ),
    ...(['only-red', 'untested'] as const).map((filter) => countRow(filter, matrix)),
  )
  const content = [
    h('caption', { class: 'hidden' }, 'The outcomes of each implementation'),
    h('thead', {}, h('tr', {}, h('td', {}), ...heads)),
    summary,
    body,
  ]
  const drawn = h('table', { class: 'matrix' }, ...content)
  drawn.style.setProperty('--columns', String(implementations.length))
  return drawn
}

function columnHead({ name, version, date, verdict }: Implementation) {
  const facts = [version, date].flatMap((fact) =>
    fact === undefined ? [] : [h('span', { class: 'quiet' }, fact)],
  )
  const chip = h('span', { class: `verdict ${verdict.style}` }, verdict.words)
  return h('th', { scope: 'col' }, h('strong', {}, name), ...facts, chip)
}

function summaryRow(title: string, cells: readonly (readonly Child[])[]) {
  const drawn = cells.map((cell) => h('td', {}, ...cell))
  return h('tr', {}, h('th', { scope: 'row' }, title), ...drawn)
}

/** The verdict and the share of a lane, above its bar. */
function laneCell({ lanes }: Implementation, name: string) {
  const lane = lanes[name]
  if (lane === undefined) return [h('span', { class: 'quiet' }, 'not judged')]
  const words = [h('strong', { class: lane.style }, lane.verdict), ` ${lane.judged} judged`]
  return [h('p', {}, ...words), ...bar(lane.totals)]
}

/** The number of claims that pass a filter in each implementation, as links to them. */
function countRow(filter: Filter, { claims, implementations }: Matrix) {
  const cells = implementations.map((_, column) => {
    const count = grouped(filtered(claims, filter, column).length)
    return [h('a', { href: `#?show=${filter}&in=${column}` }, count)]
  })
  return summaryRow(filters[filter], cells)
}
