import type { CheckRecord } from '../../record/check-record.ts'
import { type Outcome, outcomes } from '../../record/outcome.ts'
import type { ReportLane } from '../../record/records.ts'
import type { Report } from '../../record/report.ts'
import { areas } from '../../spec/endpoint.ts'
import { groupBy } from '../../text/group.ts'
import { deviationBlock } from './deviation.ts'
import { badge, html, type Markup, text } from './markup.ts'
import { readingList } from './reading-list.ts'

/** One check as each lane judged it. */
interface JudgedCheck {
  readonly id: string
  readonly first: CheckRecord
  readonly lanes: readonly { readonly name: string; readonly check: CheckRecord; readonly report: Report }[]
}

/** The checks: areas, endpoints, checks, each with every version side by side. */
export function checkList(lanes: readonly ReportLane[]): Markup {
  const judged = judgedChecks(lanes)
  const inAreas = areas
    .map((area) => ({ area, checks: judged.filter(({ first }) => first.area === area) }))
    .filter(({ checks }) => checks.length > 0)
  return html`<section id="checks" class="part"><h2>Checks</h2>${filters(judged)}
<p id="shown" role="status">${judged.length} checks</p>
${inAreas.map(({ area, checks }) => areaOf(area, checks))}</section>`
}

function judgedChecks(lanes: readonly ReportLane[]): JudgedCheck[] {
  const all = lanes.flatMap(({ name, report }) => report.checks.map((check) => ({ name, check, report })))
  return [...groupBy(all, ({ check }) => check.id)].map(([id, same]) => ({
    id,
    first: same[0]?.check as CheckRecord,
    lanes: same,
  }))
}

function filters(judged: readonly JudgedCheck[]): Markup {
  const present = outcomes.filter((outcome) => judged.some(({ lanes }) => lanes.some(({ check }) => check.outcome === outcome)))
  const areasPresent = areas.filter((area) => judged.some(({ first }) => first.area === area))
  return html`<form id="filters" role="search">
<label>Text <input type="search" name="text" autocomplete="off"></label>
<label>Area <select name="area"><option value="">all</option>${areasPresent.map((area) => html`<option>${area}</option>`)}</select></label>
<label>Level <select name="level"><option value="">all</option><option>must</option><option>should</option></select></label>
<fieldset><legend>Outcome</legend>${present.map((outcome) => html`<label class="badge ${outcome}"><input type="checkbox" name="outcome" value="${outcome}"> ${outcome}</label>`)}</fieldset>
<button type="reset">Show all</button></form>`
}

function areaOf(area: string, checks: readonly JudgedCheck[]): Markup {
  const byEndpoint = groupBy(checks, ({ first }) => first.endpoint)
  return html`<section class="area" id="area-${area}"><h3>${area}</h3>
${[...byEndpoint].map(([endpoint, same]) => html`<section class="endpoint"><h4><code>${text(endpoint)}</code></h4>${same.map(checkOf)}</section>`)}</section>`
}

/** From what a reader looks at first to what needs no look. */
const order: readonly Outcome[] = ['failed', 'errored', 'warned', 'waived', 'untested', 'passed', 'inapplicable']

function checkOf({ id, first, lanes }: JudgedCheck): Markup {
  const found = order.filter((outcome) => lanes.some(({ check }) => check.outcome === outcome))
  return html`<details class="check" id="${id}" data-area="${first.area}" data-level="${first.level}" data-outcomes="${found.join(' ')}">
<summary><span class="outcomes">${lanes.map(({ name, check }) => badge(check.outcome, name))}</span> <span class="title">${text(first.title)}</span> <code class="id">${id}</code></summary>
<p class="meta">${first.level} · ${text(first.section)} · ${first.requirements.join(', ')} · <a href="#${id}">link</a></p>
${lanes.map(({ name, check, report }) => laneOf(name, check, report))}
${lanes.some(({ check }) => check.deviation !== undefined) ? readingList(first) : ''}</details>
`
}

function laneOf(name: string, check: CheckRecord, report: Report): Markup {
  return html`<div class="judged"><h5>${name}: ${check.outcome}${check.flaky ? ' (flaky)' : ''}</h5>
${explanation(check)}
${check.deviation ? deviationBlock(check.deviation, report) : ''}
${exchangeButton(name, check.exchanges)}
${(check.repeats ?? []).map((made) => html`<p>Judged again: <strong>${made.outcome}</strong> ${text(made.detail)}</p>${exchangeButton(name, made.exchanges)}`)}</div>`
}

/** Why the outcome is what it is, unless the deviation below says just that. */
function explanation(check: CheckRecord): Markup | string {
  if (check.outcome === 'passed') {
    return html`<p>Passed on ${check.subjects} ${check.subjects === 1 ? 'subject' : 'subjects'}, ${check.durationMs} ms.</p>`
  }
  const told = check.deviation !== undefined && !check.flaky && check.outcome !== 'waived'
  return told ? '' : html`<p>${text(check.detail)}</p>`
}

/** A place where the page draws exchanges when asked to. */
function exchangeButton(lane: string, ids: readonly string[]): Markup | string {
  if (ids.length === 0) return ''
  const count = `${ids.length} ${ids.length === 1 ? 'exchange' : 'exchanges'}`
  return html`<p class="lazy" data-lane="${lane}" data-exchanges="${ids.join(' ')}"><button type="button">Show ${count}</button></p>`
}
