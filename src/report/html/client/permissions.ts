import type { ReportPart } from '../../../record/report-parts.ts'
import { cellMarks, countCells, isWrong, type PermissionMap, permissionMapOf } from '../../view/permission-map.ts'
import { type Child, code, disclosure, h, scrollable, section, spaced } from './dom.ts'

/** The permission map of each part: a legend with counts, the rows that deviate, and all rows on demand. */
export function permissionSection(parts: readonly ReportPart[]): HTMLElement {
  const judged = parts.filter(({ report }) => report.permissions.length > 0)
  const maps = judged.flatMap(({ name, report }) => mapOf(name, permissionMapOf(report.permissions)))
  return section('permissions', 'Permissions', ...maps)
}

function mapOf(name: string, map: PermissionMap): Child[] {
  const rows = map.categories.flatMap((category) => category.rows)
  const legend = countCells(rows.flatMap(({ cells }) => cells)).map(({ state, words }) =>
    h('span', { class: `cell ${state}` }, `${cellMarks[state]} ${words}`),
  )
  const wrong = map.categories
    .map(({ title, rows: all }) => ({ title, rows: all.filter(({ cells }) => cells.some(isWrong)) }))
    .filter((category) => category.rows.length > 0)
  return [
    h('h3', {}, name),
    h('p', { class: 'legend' }, ...spaced(legend)),
    ...(wrong.length === 0 ? [] : [mapTable(`Rows with deviations under ${name}`, { ...map, categories: wrong })]),
    disclosure({}, [`All ${rows.length} rows under ${name}`], () => [mapTable(`Permissions under ${name}`, map)]),
  ]
}

/** A table with a body for each category. The head and the first column stay in sight. */
function mapTable(title: string, { columns, categories }: PermissionMap): HTMLElement {
  const kinds = [...new Set(columns.map(({ kind }) => kind))].map((kind) => {
    const width = columns.filter((column) => column.kind === kind).length
    return h('th', { scope: 'colgroup', colspan: String(width) }, shortKind(kind))
  })
  const levels = columns.map(({ level }) => h('th', { scope: 'col' }, level))
  const bodies = categories.map(({ title: category, rows }) => {
    const attributes = { scope: 'rowgroup', class: 'category', colspan: String(columns.length + 1) }
    return h('tbody', {}, h('tr', {}, h('th', attributes, h('span', {}, category))), ...rows.map(rowOf))
  })
  const corner = h('th', { scope: 'col', rowspan: '2' }, 'row')
  const head = h('thead', {}, h('tr', {}, corner, ...kinds), h('tr', {}, ...levels))
  return scrollable('matrix', title, h('table', {}, h('caption', {}, title), head, ...bodies))
}

function rowOf({ endpoint, cells }: PermissionMap['categories'][number]['rows'][number]): HTMLElement {
  const drawn = cells.map((state) => {
    if (state === null) return h('td')
    const word = h('span', { class: 'hidden' }, ` ${state}`)
    return h('td', {}, h('span', { class: `cell ${state}`, title: state }, cellMarks[state], word))
  })
  return h('tr', {}, h('th', { scope: 'row' }, code(endpoint)), ...drawn)
}

/** A kind in the width of three columns of a phone. */
function shortKind(kind: string): string {
  return kind === 'app-installation' ? 'app inst.' : kind.replace('-', ' ')
}
