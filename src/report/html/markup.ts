import { html } from 'hono/html'
import type { Outcome } from '../../record/outcome.ts'
import { printable } from '../../text/format.ts'

/** Markup that is already escaped. */
export type Markup = ReturnType<typeof html>

export { html }

/** Text from a record: what a reader would act on is spelt out, lines are kept; the template escapes the rest. */
export function text(value: string): string {
  if (/^[ -~]*$/.test(value)) return value
  return value.toWellFormed().split('\n').map(printable).join('\n')
}

/** An id or an address that may break after its separators, and not within a word. */
export function breakable(value: string): Markup {
  const parts = text(value).split(/(?<=[./:-])/)
  return html`${parts.map((part) => html`${part}<wbr>`)}`
}

/** How each outcome is drawn: never by colour alone. */
export const marks: Readonly<Record<Outcome, string>> = {
  passed: '✓',
  failed: '✗',
  warned: '!',
  waived: '~',
  untested: '?',
  inapplicable: '–',
  errored: '⚡',
}

/** An outcome with its mark; `label` says what it belongs to. */
export function badge(outcome: Outcome | 'excluded' | 'unjudged', label = ''): Markup {
  const mark = outcome in marks ? marks[outcome as Outcome] : '·'
  return html`<span class="badge ${outcome}"><span aria-hidden="true">${mark}</span> ${label === '' ? '' : html`<span class="version">${label}</span> `}${outcome}</span>`
}

/** A part of the page under its own heading; nothing where it would be empty. */
export function part(id: string, title: string, content: readonly Markup[] | Markup, intro = ''): Markup {
  return html`<section id="${id}" class="part"><h2>${title}</h2>${intro === '' ? '' : html`<p class="intro">${intro}</p>`}${content}</section>`
}

/**
 * Content that is drawn when it is opened: a template is no part of the document before, so that a page with thousands of rows stays
 * light.
 */
export function folded(summary: string | Markup, content: Markup): Markup {
  return html`<details class="folded"><summary>${summary}</summary><template>${content}</template></details>`
}

/** The share of a coverage without a line break before its percent sign. */
export function unbroken(sentence: string): string {
  return sentence.replaceAll(' %', '\u00a0%')
}

/** A table; where the window is narrow, its rows become blocks in which each cell names its column. */
export function table(caption: string, head: readonly string[], rows: readonly (readonly (string | Markup)[])[]): Markup {
  return html`<div class="scroll stack" tabindex="0" role="region" aria-label="${caption}"><table><caption>${caption}</caption>
<thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell, index) => html`<td data-head="${head[index] ?? ''}">${cell}</td>`)}</tr>\n`)}</tbody></table></div>`
}

/** A link where the address is one that a browser may follow without harm; else its text. */
export function link(address: string): Markup | string {
  return /^https?:\/\/\S+$/.test(address)
    ? html`<a href="${address}" rel="noreferrer noopener">${text(address)}</a>`
    : text(address)
}
