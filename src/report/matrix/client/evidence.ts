import type { ReportLane } from '../../../record/report-lanes.ts'
import { type Claim, idsOf, keyOf, type Matrix } from '../../comparison/matrix.ts'
import { evidence, exchangeButton } from '../../html/client/deviations.ts'
import { badge, type Child, code, h, spaced } from '../../html/client/dom.ts'
import { findingsOf, judgementsIn } from '../../view/findings.ts'

/** The matrix with the lanes of each run, which have the evidence. */
export interface Drawn {
  readonly matrix: Matrix
  readonly lanes: readonly (readonly ReportLane[])[]
}

/** The evidence of a claim in each implementation: first those that deviate, with the exchanges. */
export function evidenceRow({ matrix, lanes }: Drawn, claim: Claim, link: string) {
  const { implementations, by } = matrix
  const judged = implementations.map(({ name }, column) => {
    const own = (lanes[column] ?? []).map((lane) => judgingLane(lane, claim, by))
    return { name, cell: claim.cells[column] ?? {}, own, findings: findingsOf(own) }
  })
  const deviating = judged.filter(({ findings }) => findings.length > 0)
  const articles = deviating.map(({ name, findings }) =>
    h('article', {}, h('h3', {}, name), ...findings.map(evidence)),
  )
  const others = judged.filter(({ findings }) => findings.length === 0)
  const lines = others.map(({ name, cell, own }) => {
    const badges = Object.entries(cell).map(([lane, outcome]) => badge(outcome, lane))
    const words = badges.length === 0 ? ['not selected'] : spaced(badges)
    return h('li', {}, h('strong', {}, name), ' ', ...words, ...reasons(own))
  })
  const content = [
    h(
      'p',
      { class: 'meta' },
      code(claim.id),
      ` · ${claim.level} · `,
      h('a', { href: link }, 'link'),
    ),
    h('div', { class: 'side-by-side' }, ...articles),
    h('ul', { class: 'plain' }, ...lines),
  ]
  const span = String(implementations.length + 1)
  return h('tr', { class: 'evidence', 'data-level': '3' }, h('td', { colspan: span }, ...content))
}

/** A lane with the checks of one claim alone. */
function judgingLane(lane: ReportLane, claim: Claim, by: Matrix['by']) {
  const key = keyOf(claim, claim.id)
  const checks = lane.report.checks.filter((check) =>
    idsOf(check, by).some((id) => keyOf(check, id) === key),
  )
  return { ...lane, report: { ...lane.report, checks } }
}

/** The reasons of outcomes without a verdict, each once, and the exchanges of errors. */
function reasons(lanes: readonly ReportLane[]): Child[] {
  const all = judgementsIn(lanes)
  const sentences = new Set(all.map(({ check }) => check.detail))
  return [
    ...[...sentences].map((sentence) => h('p', { class: 'quiet' }, sentence)),
    ...all.flatMap(({ check, lane }) => exchangeButton(check.exchanges, lane)),
  ]
}
