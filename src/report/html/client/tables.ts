import type { Cell, CheckModel, SectionModel, TableModel } from '../page-model.ts'
import { badge, breakable, type Child, counted, disclosure, h } from './dom.ts'

/** A section of the page with its paragraphs and tables. */
export function sectionOf({ id, title, notes, tables }: SectionModel, checks: readonly CheckModel[]): HTMLElement {
  const drawn = tables.map((table) =>
    table.folded === undefined ? tableOf(table, checks) : disclosure({}, [table.folded], () => [tableOf(table, checks)]),
  )
  return h('section', { id, class: 'part' }, h('h2', {}, title), ...notes.map((text) => h('p', {}, text)), ...drawn)
}

/** A table. In a narrow window its rows become blocks in which each cell names its column. */
export function tableOf({ title, head, rows }: TableModel, checks: readonly CheckModel[]): HTMLElement {
  const heads = head.map((name) => h('th', { scope: 'col' }, name))
  const body = rows.map((row) =>
    h('tr', {}, ...row.map((cell, column) => h('td', { 'data-head': head[column] ?? '' }, ...contentOf(cell, checks)))),
  )
  const table = h('table', {}, h('caption', {}, title), h('thead', {}, h('tr', {}, ...heads)), h('tbody', {}, ...body))
  return h('div', { class: 'scroll stack', tabindex: '0', role: 'region', 'aria-label': title }, table)
}

function contentOf(cell: Cell, checks: readonly CheckModel[]): Child[] {
  if (typeof cell === 'string') return [cell]
  if ('code' in cell) return [h('code', {}, ...breakable(cell.code)), ...(cell.text === undefined ? [] : [` ${cell.text}`])]
  if ('badge' in cell) return [badge(cell.badge)]
  if ('link' in cell) return [link(cell.link)]
  return 'checks' in cell ? checkLinks(cell.checks, checks) : lines(cell.lines)
}

/** A link where the address is a web address; otherwise its text. */
function link(address: string): Child {
  return /^https?:\/\/\S+$/.test(address) ? h('a', { href: address, rel: 'noreferrer noopener' }, address) : address
}

function checkLinks(places: readonly number[], checks: readonly CheckModel[]): Child[] {
  if (places.length === 0) return []
  const links = () =>
    places.flatMap((place) => {
      const id = checks[place]?.id ?? ''
      return [h('a', { href: `#${id}` }, id), ' ']
    })
  return [disclosure({ class: 'links' }, [counted(places.length, 'check')], links)]
}

/** Lines that a cell shows before the reader opens the rest. */
const linesAtMost = 5

function lines(all: readonly string[]): Child[] {
  const listOf = (some: readonly string[]) => h('ul', { class: 'plain' }, ...some.map((line) => h('li', {}, line)))
  const rest = all.slice(linesAtMost)
  const more = rest.length === 0 ? [] : [disclosure({}, [`and ${rest.length} more`], () => [listOf(rest)])]
  return [listOf(all.slice(0, linesAtMost)), ...more]
}
