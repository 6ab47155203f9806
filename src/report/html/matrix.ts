import type { ReportPart } from '../../record/report-parts.ts'
import type { PermissionCell } from '../../record/version-report.ts'
import { groupBy } from '../../text/group.ts'
import { breakable, folded, html, type Markup, text } from './markup.ts'

const cellMarks: Readonly<Record<PermissionCell['cell'], string>> = {
  granted: '✓',
  refused: '⊘',
  'too-permissive': '▲',
  'too-restrictive': '▼',
  undecided: '?',
}

/** The permission matrix of each lane: what was seen, the rows that deviate, and all rows on demand. */
export function permissionMatrix(lanes: readonly ReportPart[]): Markup[] | undefined {
  const maps = lanes.filter(({ report }) => report.permissions.length > 0)
  return maps.length === 0 ? undefined : maps.map(({ name, report }) => matrixOf(name, report.permissions))
}

function matrixOf(name: string, cells: readonly PermissionCell[]): Markup {
  const columns = columnsOf(cells)
  const rows = [...groupBy(cells, ({ owner, category, row }) => `${owner}: ${category}\n${row}`)]
  const wrong = rows.filter(([, row]) => row.some(({ cell }) => cell.startsWith('too-')))
  const counts = Object.entries(cellMarks)
    .map(([cell, mark]) => ({ cell, mark, count: cells.filter((found) => found.cell === cell).length }))
    .filter(({ count }) => count > 0)
  return html`<h3>${name}</h3><p class="legend">${counts.map(({ cell, mark, count }) => html`<span class="cell ${cell}">${mark} ${count} ${cell.replace('too-', 'too ')}</span> `)}</p>
${wrong.length === 0 ? '' : matrixTable(`Rows with deviations under ${name}`, columns, wrong)}
${folded(`All ${rows.length} rows under ${name}`, matrixTable(`Permissions under ${name}`, columns, rows))}`
}

/** A column: a token kind and the level that it holds. */
interface Column {
  readonly kind: string
  readonly level: string
}

/** Token kinds in the order in which they occur, each with its levels from none to write. */
function columnsOf(cells: readonly PermissionCell[]): Column[] {
  const kinds = [...new Set(cells.map(({ tokenKind }) => tokenKind))]
  const levels = [...new Set(['none', 'read', 'write', ...cells.map(({ access }) => access)])]
  const present = new Set(cells.map(({ tokenKind, access }) => `${tokenKind} ${access}`))
  return kinds.flatMap((kind) => levels.filter((level) => present.has(`${kind} ${level}`)).map((level) => ({ kind, level })))
}

type Rows = readonly (readonly [key: string, cells: readonly PermissionCell[]])[]

/** One table with a body for each category, so that its name stands once; the head and the rows' names stay in sight. */
function matrixTable(title: string, columns: readonly Column[], rows: Rows): Markup {
  const kinds = [...groupBy(columns, ({ kind }) => kind)]
  const categories = groupBy(rows, ([key]) => key.split('\n')[0] ?? '')
  return html`<div class="scroll matrix" tabindex="0" role="region" aria-label="${title}"><table><caption>${title}</caption>
<thead><tr><th scope="col" rowspan="2">row</th>${kinds.map(([kind, of]) => html`<th scope="colgroup" colspan="${of.length}">${shortKind(kind)}</th>`)}</tr>
<tr>${columns.map(({ level }) => html`<th scope="col">${level}</th>`)}</tr></thead>
${[...categories].map(
  ([
    category,
    of,
  ]) => html`<tbody><tr><th scope="rowgroup" class="category" colspan="${columns.length + 1}"><span>${text(category)}</span></th></tr>
${of.map(([key, cells]) => matrixRow(key.split('\n')[1] ?? '', cells, columns))}</tbody>`,
)}</table></div>`
}

function matrixRow(endpoint: string, cells: readonly PermissionCell[], columns: readonly Column[]): Markup {
  return html`<tr><th scope="row"><code>${breakable(endpoint)}</code></th>${columns.map(({ kind, level }) => {
    const found = cells.find(({ tokenKind, access }) => tokenKind === kind && access === level)
    return found
      ? html`<td><span class="cell ${found.cell}" title="${found.cell}">${cellMarks[found.cell]}<span class="hidden"> ${found.cell}</span></span></td>`
      : html`<td></td>`
  })}</tr>\n`
}

/** `app-installation` takes three columns of two characters on a phone. */
function shortKind(kind: string): string {
  return kind === 'app-installation' ? 'app inst.' : kind.replace('-', ' ')
}
