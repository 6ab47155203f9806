import type { CheckRecord } from '../../record/check-record.ts'
import type { ReportPart } from '../../record/report-parts.ts'
import { groupBy } from '../../text/group.ts'
import { type JudgedCheck, order } from './checks.ts'
import { deviationBlock } from './deviation.ts'
import { badge, html, type Markup, text } from './markup.ts'
import { readingList } from './reading-list.ts'

/** Failures that are open from the start; the others open with a click. */
const openAtMost = 20

/** Deviations that are printed; a reader of paper looks at the first ones. */
const printedAtMost = 60

const deviating = ['failed', 'warned', 'waived'] as const

/** What deviates, failures first and open, each check once; undefined where nothing does. */
export function deviationSection(judged: readonly JudgedCheck[], lanes: readonly ReportPart[]): Markup | undefined {
  const found = deviating.flatMap((outcome) => judged.filter((check) => worstOf(check) === outcome))
  if (found.length === 0) return undefined
  const names = lanes.map(({ name }) => name)
  const left = found.length - printedAtMost
  return html`<section id="deviations" class="part"><h2>Deviations</h2>
${found.map((check, index) => checkOf(check, names, index < openAtMost && worstOf(check) === 'failed'))}${left > 0 ? html`<p class="paper">${left} more deviations are on the page itself.</p>` : ''}</section>`
}

/** The outcome of a deviation: an errored lane does not hide a failure in another. */
function worstOf({ lanes }: JudgedCheck) {
  return deviating.find((outcome) => lanes.some(({ check }) => check.outcome === outcome))
}

function checkOf({ id, first, lanes }: JudgedCheck, names: readonly string[], open: boolean): Markup {
  const ranked = [...lanes].sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name))
  const found = order.filter((outcome) => ranked.some(({ check }) => check.outcome === outcome))
  const same = groupBy(ranked, ({ check }) => (check.deviation ? withoutNumbers(check.deviation.expected) : check.outcome))
  const evidence = html`<p class="meta"><code>${id}</code> · ${first.level} · ${text(first.section)} · ${first.requirements.join(', ')} · <a href="#${id}">link</a></p>
${[...same.values()].map(laneOf)}
${readingList(first)}`
  return html`<details class="check" id="${id}" data-outcomes="${found.join(' ')}"${open ? html` open` : ''}>
<summary><span class="title"><code>${text(first.endpoint)}</code> ${text(first.title)}</span> <span class="outcomes">${ranked.map(({ name, check }) => badge(check.outcome, name))}</span></summary>
${open ? evidence : html`<template>${evidence}</template>`}</details>
`
}

/** Identifiers differ between the versions; what was expected does not. */
function withoutNumbers(sentence: string): string {
  return sentence.replaceAll(/\d+/g, '#')
}

/** What lanes came to that found the same: the evidence of the last one in full, since later versions matter more. */
function laneOf(same: JudgedCheck['lanes']): Markup {
  const last = same.at(-1)
  if (!last) return html``
  const { check, report, name } = last
  const names = same.map((lane) => lane.name).join(', ')
  const others = same.slice(0, -1).filter((lane) => lane.check.deviation)
  return html`<div class="judged"><h3>${names}: ${check.outcome}${check.flaky ? ' (flaky)' : ''}</h3>
${explanation(check)}
${check.deviation ? deviationBlock(check, report) : ''}
${others.map((lane) => html`<p class="also">Under ${lane.name}: ${text(lane.check.deviation?.actual ?? '')}</p>`)}
${exchangeButton(name, check.exchanges)}
${(check.repeats ?? []).map((made) => html`<p>Judged again: <strong>${made.outcome}</strong> ${text(made.detail)}</p>${exchangeButton(name, made.exchanges)}`)}</div>`
}

/** Why the outcome is what it is, unless the deviation below says just that. */
function explanation(check: CheckRecord): Markup | string {
  const told = check.deviation !== undefined && !check.flaky && check.outcome !== 'waived'
  return told || check.detail === '' ? '' : html`<p>${text(check.detail)}</p>`
}

/** A place where the page draws exchanges when asked to. */
function exchangeButton(lane: string, ids: readonly string[]): Markup | string {
  if (ids.length === 0) return ''
  const count = `${ids.length} ${ids.length === 1 ? 'exchange' : 'exchanges'}`
  return html`<p class="lazy" data-lane="${lane}" data-exchanges="${ids.join(' ')}"><button type="button">Show ${count} under ${lane}</button></p>`
}
