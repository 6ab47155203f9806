import type { CheckRecord } from '../../record/check-record.ts'
import { grouped } from '../../record/coverage.ts'
import { type Outcome, outcomes } from '../../record/outcome.ts'
import type { ReportPart } from '../../record/report-parts.ts'
import type { Report } from '../../record/version-report.ts'
import { areas } from '../../spec/endpoint.ts'
import { groupBy } from '../../text/group.ts'
import { html, type Markup, marks, text } from './markup.ts'

/** One check as each lane judged it. */
export interface JudgedCheck {
  readonly id: string
  readonly first: CheckRecord
  readonly lanes: readonly { readonly name: string; readonly check: CheckRecord; readonly report: Report }[]
}

/** The checks of all lanes, each once. */
export function judgedChecks(lanes: readonly ReportPart[]): JudgedCheck[] {
  const all = lanes.flatMap(({ name, report }) => report.checks.map((check) => ({ name, check, report })))
  return [...groupBy(all, ({ check }) => check.id)].map(([id, same]) => ({
    id,
    first: same[0]?.check as CheckRecord,
    lanes: same,
  }))
}

/** All checks by area and endpoint. The page holds a line for each endpoint; its checks are drawn from packed data when it is opened. */
export function checkSection(judged: readonly JudgedCheck[]): Markup {
  const places = placesOf(judged)
  const inAreas = groupBy(places, ({ area }) => area)
  return html`<section id="checks" class="part"><h2>All checks</h2>${filters(judged)}
<p id="shown" role="status">${grouped(judged.length)} checks</p><noscript><p>The checks of an endpoint are drawn by a script, which this browser does not run.</p></noscript>
${areas.flatMap((area) => areaOf(area, inAreas.get(area) ?? []))}</section>`
}

/** An endpoint within an area, with its checks; its number is what the packed data refers to. */
interface Place {
  readonly number: number
  readonly area: string
  readonly endpoint: string
  readonly checks: readonly JudgedCheck[]
}

function placesOf(judged: readonly JudgedCheck[]): Place[] {
  return [...groupBy(judged, keyOf).values()].map((checks, number) => {
    const [{ first }] = checks as [JudgedCheck, ...JudgedCheck[]]
    return { number, area: first.area, endpoint: first.endpoint, checks }
  })
}

function keyOf({ first }: JudgedCheck): string {
  return `${first.area} ${first.endpoint}`
}

/** The checks as the page's script reads them: names of lanes, and for each check what the lanes came to. */
export function packedChecks(judged: readonly JudgedCheck[], lanes: readonly ReportPart[]) {
  const numbers = new Map(placesOf(judged).map(({ number, checks: [first] }) => [first ? keyOf(first) : '', number]))
  const names = lanes.map(({ name }) => name)
  return {
    lanes: names,
    checks: judged.map((one) => {
      const { id, title, area, level, section, requirements } = one.first
      const judgements = names.map((name) => judgementOf(one.lanes.find((lane) => lane.name === name)?.check))
      return { id, title, area, level, section, requirements, place: numbers.get(keyOf(one)), judgements }
    }),
  }
}

function judgementOf(check: CheckRecord | undefined) {
  if (!check) return null
  const { outcome, subjects, durationMs, detail, exchanges, flaky } = check
  return { outcome, subjects, durationMs, exchanges, ...(detail === '' ? {} : { detail }), ...(flaky ? { flaky } : {}) }
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

function areaOf(area: string, places: readonly Place[]): Markup[] {
  if (places.length === 0) return []
  return [html`<section class="area" id="area-${area}"><h3>${area}</h3>${places.map(endpointOf)}</section>`]
}

/** From what a reader looks at first to what needs no look. */
export const order: readonly Outcome[] = ['failed', 'errored', 'warned', 'waived', 'untested', 'passed', 'inapplicable']

function endpointOf({ number, endpoint, checks }: Place): Markup {
  const all = checks.flatMap(({ lanes }) => lanes.map(({ check }) => check.outcome))
  const counts = order
    .map((outcome) => ({ outcome, count: all.filter((found) => found === outcome).length }))
    .filter(({ count }) => count > 0)
  return html`<details class="endpoint" data-place="${number}"><summary><code>${text(endpoint)}</code> ${counts.map(({ outcome, count }) => html`<span class="badge ${outcome}">${marks[outcome]} ${count}<span class="hidden"> ${outcome}</span></span> `)}</summary></details>
`
}
