import { type Outcome, outcomes } from '../../record/outcome.ts'
import type { ReportLane } from '../../record/records.ts'
import type { RunRecord } from '../../record/run-record.ts'
import { countOutcomes } from '../../record/verdict.ts'
import { areas } from '../../spec/endpoint.ts'
import { html, type Markup, marks, seconds, text } from './markup.ts'

/** The first screen: what each version came to, and what that rests on. */
export function overview(run: RunRecord, lanes: readonly ReportLane[]): Markup {
  return html`<header><p class="suite">${run.suite.name} ${run.suite.version}</p>
<h1>${text(run.target.baseUrl)} <span class="verdict ${run.verdict}">${run.verdict}</span></h1>
${run.interrupted ? html`<p class="banner" role="alert">The run was interrupted: this report is partial.</p>` : ''}
${run.crossVersion.ignoresVersion ? html`<p class="banner" role="alert">${text(run.crossVersion.ignoresVersion)}</p>` : ''}
<p>Gate <strong class="gate-${run.gate.result}">${run.gate.result}</strong>${run.gate.strict ? ', warnings count as failures' : ''}. Seed ${run.seed}.</p>
${notes(run)}
<div class="lanes">${lanes.map(laneCard)}</div>
${areaTable(lanes)}${firstDeviations(lanes)}</header>`
}

function notes(run: RunRecord): Markup | string {
  const lines = [...run.gate.missed, ...run.gate.warnings, ...leftBehind(run)]
  return lines.length === 0 ? '' : html`<ul class="notes">${lines.map((line) => html`<li>${text(line)}</li>`)}</ul>`
}

function leftBehind({ leftBehind: left }: RunRecord): string[] {
  if (left.length === 0) return []
  return [
    left.length === 1
      ? `left behind on the target: ${left[0]}`
      : `${left.length} things were left behind on the target, named at the end`,
  ]
}

function laneCard({ name, report }: ReportLane): Markup {
  const { totals } = report
  const judged = totals.passed + totals.failed + totals.warned + totals.waived
  const subjects = report.checks.reduce((sum, check) => sum + (check.outcome === 'passed' ? check.subjects : 0), 0)
  return html`<article class="lane"><h2>${name} <span class="verdict ${report.verdict}">${report.verdict}</span></h2>
<p>${judged} of ${report.checks.length} checks judged, ${subjects} subjects seen to hold, ${report.requests.sent} requests in ${seconds(report.durationMs)}.</p>
<ul class="counts">${outcomes.filter((outcome) => totals[outcome] > 0).map((outcome) => html`<li class="badge ${outcome}"><span aria-hidden="true">${marks[outcome]}</span> ${totals[outcome]} ${outcome}</li>`)}</ul>
${report.warnings.length === 0 ? '' : html`<ul class="notes">${report.warnings.map((line) => html`<li>${text(line)}</li>`)}</ul>`}</article>`
}

/** Deviations named in the first screen. */
const namedAtMost = 8

/** Why it is red: the first failures, each once, with a link. */
function firstDeviations(lanes: readonly ReportLane[]): Markup | string {
  const failed = lanes.flatMap(({ report }) => report.checks.filter(({ outcome }) => outcome === 'failed'))
  const each = [...new Map(failed.map((check) => [check.id, check])).values()]
  if (each.length === 0) return ''
  const left = each.length - namedAtMost
  return html`<h2>What deviates</h2><ul class="first">${each
    .slice(0, namedAtMost)
    .map(
      (check) => html`<li><a href="#${check.id}"><code>${text(check.endpoint)}</code> ${text(check.title)}</a></li>`,
    )}${left > 0 ? html`<li><a href="#?outcome=failed">and ${left} more</a></li>` : ''}</ul>`
}

function areaTable(lanes: readonly ReportLane[]): Markup {
  const present = areas.filter((area) => lanes.some(({ report }) => report.checks.some((check) => check.area === area)))
  const cell = (lane: ReportLane, area: string) => {
    const totals = countOutcomes(lane.report.checks.filter((check) => check.area === area))
    const shown = outcomes.filter((outcome) => totals[outcome] > 0 && outcome !== 'inapplicable')
    return html`<td>${shown.map((outcome: Outcome) => html`<span class="badge ${outcome}"><span aria-hidden="true">${marks[outcome]}</span> ${totals[outcome]} <span class="hidden">${outcome}</span></span> `)}</td>`
  }
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Outcomes by area"><table class="areas"><caption>Outcomes by area</caption>
<thead><tr><th scope="col">Area</th>${lanes.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${present.map((area) => html`<tr><th scope="row"><a href="#area-${area}">${area}</a></th>${lanes.map((lane) => cell(lane, area))}</tr>`)}</tbody></table></div>`
}
