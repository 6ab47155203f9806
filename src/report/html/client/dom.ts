import type { Outcome } from '../../../record/outcome.ts'

export type Child = Node | string

/** An element with attributes and children. Text from records becomes text nodes, never markup. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
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
): HTMLDetailsElement {
  const element = h('details', attributes, h('summary', {}, ...summary))
  const fill = () => {
    if (element.open && element.childElementCount === 1) element.append(...content())
  }
  fill()
  element.addEventListener('toggle', fill)
  return element
}

/** The mark of each outcome. No outcome is shown by its colour alone. */
const marks: Readonly<Record<Outcome, string>> = {
  passed: '✓',
  failed: '✗',
  warned: '!',
  waived: '~',
  untested: '?',
  inapplicable: '–',
  errored: '⚡',
}

/** The outcomes from the most to the least urgent one. */
export const urgency: readonly Outcome[] = ['failed', 'errored', 'warned', 'waived', 'untested', 'passed', 'inapplicable']

function markOf(outcome: string): string {
  return Object.hasOwn(marks, outcome) ? marks[outcome as Outcome] : '·'
}

/** An outcome with its mark; `label` names its part. */
export function badge(outcome: string, label = ''): HTMLElement {
  const mark = h('span', { 'aria-hidden': 'true' }, markOf(outcome))
  const of = label === '' ? [] : [h('span', { class: 'version' }, label), ' ']
  return h('span', { class: `badge ${outcome}` }, mark, ' ', ...of, outcome)
}

/** The number of checks with an outcome; only screen readers read the word. */
export function tally(outcome: Outcome, count: number): HTMLElement {
  const word = h('span', { class: 'hidden' }, ` ${outcome}`)
  return h('span', { class: `badge ${outcome}` }, `${marks[outcome]} ${count.toLocaleString('en')}`, word)
}

/** Items with a space between them. */
export function spaced(items: readonly Node[]): Child[] {
  return items.flatMap((item) => [item, ' '])
}

/** `1 check`, `2 checks`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}

/** A text with a possible line break after each separator, for identifiers and addresses. */
export function breakable(text: string): Child[] {
  return text.split(/(?<=[./:-])/).flatMap((part) => [part, h('wbr')])
}
