import { coverageOf, coverageText, grouped, isThin, sumCoverage } from '../../record/coverage.ts'
import { type Outcome, outcomes } from '../../record/outcome.ts'
import type { ReportPart, RunRecords } from '../../record/report-parts.ts'
import type { RunRecord } from '../../record/run-record.ts'
import { countOutcomes } from '../../record/verdict.ts'
import type { Coverage } from '../../record/version-report.ts'
import { areas } from '../../spec/endpoint.ts'
import { duration } from '../../text/duration.ts'
import { meansText, targetText } from '../view/subject.ts'
import { html, type Markup, marks, table, text, unbroken } from './markup.ts'
import { trend } from './trend.ts'

/** The first screen: what was judged and when, what each version came to, and how much of what applies that rests on. */
export function overview({ run, history = [] }: RunRecords, lanes: readonly ReportPart[]): Markup {
  const coverage = sumCoverage(lanes.map(({ report }) => coverageOf(report.checks)))
  const thin = run.verdict === 'conforms' && lanes.some(({ report }) => isThin(report.checks))
  return html`<header><p class="suite">${facts(run, lanes)}</p>
<h1>${text(targetText(run))} <span class="verdict ${thin ? 'thin' : run.verdict}">${run.verdict}</span></h1>
<p class="coverage">${unbroken(coverageText(coverage))}${meter(coverage)}</p>
${thin ? html`<p class="banner thin" role="alert">Less than half of the must-level checks were judged, so this verdict says little about the target. The part <a href="#untested">Untested</a> names what was missing.</p>` : ''}
${run.interrupted ? html`<p class="banner" role="alert">The run was interrupted: this report is partial.</p>` : ''}
${run.crossVersion.ignoresVersion ? html`<p class="banner" role="alert">${text(run.crossVersion.ignoresVersion)}</p>` : ''}
<p>Gate <strong class="gate-${thin ? 'inconclusive' : run.gate.result}">${run.gate.result}</strong>${run.gate.strict ? ', warnings count as failures' : ''}.</p>
${notes(run)}
${means(run)}
<div class="lanes">${lanes.map(laneCard)}</div>
${areaTable(lanes)}${trend(history)}</header>`
}

/** When it was judged, how long that took, and by what. */
function facts({ suite, seed }: RunRecord, lanes: readonly ReportPart[]): string {
  const reports = lanes.filter(({ name, report }) => name === report.apiVersion).map(({ report }) => report)
  const began = reports.map(({ startedAt }) => startedAt).sort()[0]
  const when = began === undefined ? [] : [`${began.slice(0, 10)} ${began.slice(11, 16)} UTC`, duration(spanOf(lanes))]
  return [...when, `${suite.name} ${suite.version}`, `seed ${seed}`].join(' · ')
}

/**
 * From the beginning of the first version to the end of the last. What was judged across them has no time of beginning: it ran beside
 * versions that overlap, and after versions that took turns. Milliseconds.
 */
function spanOf(lanes: readonly ReportPart[]): number {
  const [own, across] = [true, false].map((is) => lanes.filter(({ name, report }) => (name === report.apiVersion) === is))
  const times = (own ?? [])
    .map(({ report: { startedAt, durationMs } }) => ({ from: Date.parse(startedAt), to: Date.parse(startedAt) + durationMs }))
    .sort((a, b) => a.from - b.from)
  const sideBySide = times.some(({ from }, index) => from < (times[index - 1]?.to ?? from))
  const span = Math.max(...times.map(({ to }) => to)) - Math.min(...times.map(({ from }) => from))
  const added = Math.max(0, ...(across ?? []).map(({ report }) => report.durationMs))
  return sideBySide ? Math.max(span, added) : span + added
}

/** The share that was judged as a bar; the words before it say the same. */
function meter({ judged, applicable }: Coverage): Markup {
  return html` <span class="meter" aria-hidden="true"><span style="width:${applicable === 0 ? 0 : Math.floor((judged / applicable) * 100)}%"></span></span>`
}

function notes(run: RunRecord): Markup | string {
  const lines = [...run.gate.missed, ...run.gate.open, ...(run.preflight?.notes ?? []), ...run.gate.warnings]
  return lines.length === 0 ? '' : html`<ul class="notes">${lines.map((line) => html`<li>${text(line)}</li>`)}</ul>`
}

/** With which configuration and tokens it was judged, and how the target took each token. */
function means({ preflight }: RunRecord): Markup | string {
  if (preflight === undefined) return ''
  const summary = html`Judged with ${text(meansText(preflight))}`
  const answered = preflight.target === '' ? '' : ` ${preflight.target}.`
  if (preflight.tokens.length === 0) return html`<p class="quiet">${summary}.${text(answered)}</p>`
  const rows = preflight.tokens.map(({ token, kind, role = '', login = '', state, says }) =>
    [token, kind, role, login, state, says].map(text),
  )
  const head = ['token', 'kind', 'role', 'login', 'the target', 'what was asked first']
  return html`<details class="means"><summary>${summary}</summary>${table('How the target took each token', head, rows)}</details>`
}

function laneCard({ name, report }: ReportPart): Markup {
  const { totals, verdict } = report
  const coverage = coverageOf(report.checks)
  const thin = verdict === 'conforms' && isThin(report.checks)
  return html`<article class="lane"><h2>${name} <span class="verdict ${thin ? 'thin' : verdict}">${verdict}</span></h2>
<p>${unbroken(coverageText(coverage))}${meter(coverage)}</p>
<ul class="counts">${outcomes.filter((outcome) => totals[outcome] > 0).map((outcome) => html`<li class="badge ${outcome}"><span aria-hidden="true">${marks[outcome]}</span> ${grouped(totals[outcome])} ${outcome}</li>`)}</ul>
<p class="quiet">${grouped(report.requests.sent)} ${report.requests.sent === 1 ? 'request' : 'requests'} in ${duration(report.durationMs)}</p>
${report.warnings.length === 0 ? '' : html`<ul class="notes">${report.warnings.map((line) => html`<li>${text(line)}</li>`)}</ul>`}</article>`
}

function areaTable(lanes: readonly ReportPart[]): Markup {
  const present = areas.filter((area) => lanes.some(({ report }) => report.checks.some((check) => check.area === area)))
  const cell = (lane: ReportPart, area: string) => {
    const totals = countOutcomes(lane.report.checks.filter((check) => check.area === area))
    const shown = outcomes.filter((outcome) => totals[outcome] > 0 && outcome !== 'inapplicable')
    return html`<td>${shown.map((outcome: Outcome) => html`<span class="badge ${outcome}"><span aria-hidden="true">${marks[outcome]}</span> ${grouped(totals[outcome])}<span class="hidden"> ${outcome}</span></span> `)}</td>`
  }
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Outcomes by area"><table class="areas"><caption>Outcomes by area</caption>
<thead><tr><th scope="col">Area</th>${lanes.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${present.map((area) => html`<tr><th scope="row"><a href="#area-${area}">${area}</a></th>${lanes.map((lane) => cell(lane, area))}</tr>`)}</tbody></table></div>`
}
