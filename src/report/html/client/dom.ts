import type { Outcome } from '../../../record/reason.ts'
import { grouped } from '../../../text/format.ts'

/** A child of an element. A text becomes a text node. */
export type Child = Node | string

/** An element with attributes and children. Text from records becomes text nodes, never markup. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children)
  return element
}

/** A `details` element whose content is drawn when it opens, so that a page with thousands of rows stays light. */
export function disclosure(
  attributes: Readonly<Record<string, string>>,
  summary: readonly Child[],
  content: () => readonly Child[],
) {
  const element = h('details', attributes, h('summary', {}, ...summary))
  const fill = () => {
    if (element.open && element.childElementCount === 1) element.append(...content())
  }
  fill()
  element.addEventListener('toggle', fill)
  return element
}

/** Opens a disclosure and draws its content at once. */
export function open(element: Element | null | undefined) {
  if (!(element instanceof HTMLDetailsElement)) return
  element.open = true
  element.dispatchEvent(new Event('toggle'))
}

/** The outcomes from the most to the least urgent one, each with a mark, because some readers see no colours. */
const marks = {
  failed: '✗',
  errored: '⚡',
  warned: '!',
  waived: '~',
  untested: '?',
  passed: '✓',
  inapplicable: '–',
} as const

/** All outcomes, the most urgent first. */
export const urgentFirst = Object.keys(marks) as readonly Outcome[]

/** An outcome, or the status of a requirement, with its mark; `label` names its lane, and `words` replace the name of the outcome. */
export function badge(outcome: string, label = '', words = outcome) {
  const mark = outcome in marks ? marks[outcome as Outcome] : '·'
  const of = label === '' ? [] : [h('span', { class: 'version' }, label), ' ']
  return h(
    'span',
    { class: `badge ${outcome}` },
    h('span', { 'aria-hidden': 'true' }, mark),
    ' ',
    ...of,
    words,
  )
}

/** The number of checks of each outcome; only screen readers read the words. */
export function tallies(totals: Readonly<Partial<Record<Outcome, number>>>) {
  const present = urgentFirst.filter((outcome) => (totals[outcome] ?? 0) > 0)
  const tally = (outcome: Outcome) => `${marks[outcome]} ${grouped(totals[outcome] ?? 0)}`
  const word = (outcome: Outcome) => h('span', { class: 'hidden' }, ` ${outcome}`)
  return spaced(
    present.map((outcome) =>
      h('span', { class: `badge ${outcome}` }, tally(outcome), word(outcome)),
    ),
  )
}

/** Items with a space between them. */
export function spaced(items: readonly Node[]) {
  return items.flatMap((item) => [item, ' '])
}

/** An identifier or an address, with a possible line break after each separator. */
export function code(text: string) {
  return h('code', {}, ...text.split(/(?<=[./:-])/).flatMap((part) => [part, h('wbr')]))
}

/** A list of lines; nothing if there are none. */
export function list(kind: string, lines: readonly Child[]) {
  return lines.length === 0
    ? []
    : [h('ul', { class: kind }, ...lines.map((line) => h('li', {}, line)))]
}

/** A section of the page. */
export function section(id: string, title: string, ...children: readonly Child[]) {
  return h('section', { id, class: 'part' }, h('h2', {}, title), ...children)
}

/** A table; nothing without rows. In a narrow window its rows become blocks in which each cell names its column. */
export function table(title: string, head: readonly string[], rows: readonly (readonly Child[])[]) {
  if (rows.length === 0) return []
  const heads = head.map((name) => h('th', { scope: 'col' }, name))
  const body = rows.map((row) =>
    h('tr', {}, ...row.map((cell, column) => h('td', { 'data-head': head[column] ?? '' }, cell))),
  )
  const content = [
    h('caption', {}, title),
    h('thead', {}, h('tr', {}, ...heads)),
    h('tbody', {}, ...body),
  ]
  return [
    h(
      'div',
      { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': title },
      h('table', {}, ...content),
    ),
  ]
}

/** The data of the page. */
export function unpacked() {
  const bytes = Uint8Array.from(
    atob(document.getElementById('data')?.textContent ?? ''),
    (letter) => letter.charCodeAt(0),
  )
  return new Response(
    new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')),
  ).json()
}

/** A form of filters, with a button that removes them. `changed` is called after each change. */
export function filterForm(changed: () => void, ...fields: readonly Child[]) {
  const reset = h('button', { type: 'reset' }, 'Show all')
  const form = h('form', { id: 'filters', role: 'search' }, ...fields, reset)
  form.addEventListener('input', changed)
  // The fields are reset after the event.
  form.addEventListener('reset', () => setTimeout(changed))
  form.addEventListener('submit', (event) => event.preventDefault())
  return form
}

/** The field for words that each row contains. */
export function wordsField() {
  return h('label', {}, 'Text ', h('input', { type: 'search', name: 'text', autocomplete: 'off' }))
}

/** True for a text with all words of that field, in any letter case. */
export function hasWords(text: string, state: URLSearchParams) {
  const words = (state.get('text') ?? '').toLowerCase().split(/\s+/)
  return words.every((word) => text.toLowerCase().includes(word))
}

/** The entries of a form that are not empty. */
export function statedIn(form: HTMLFormElement) {
  const entries = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()])
  return new URLSearchParams(entries.filter(([, value]) => value !== ''))
}
