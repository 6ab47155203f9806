import type { Outcome } from '../../../record/reason.ts'
import type { ReportLane, RunRecords } from '../../../record/report-lanes.ts'
import type { Coverage, RunRecord, Verdict } from '../../../record/run-record.ts'
import {
  countOutcomes,
  coverageOf,
  coverageText,
  percentOf,
  selectionText,
  tallyOf,
  verdictName,
} from '../../../record/verdict.ts'
import type { Area } from '../../../spec/endpoints.ts'
import { grouped } from '../../../text/format.ts'
import * as subject from '../../view/subject.ts'
import { badge, type Child, disclosure, h, list, table, tallies, urgentFirst } from './dom.ts'

/** The first screen: the target, the verdicts with their coverage, and the outcomes by area. */
export function overview(records: RunRecords, lanes: readonly ReportLane[]) {
  const { run } = records
  const style = subject.verdictStyle(run.verdict, lanes)
  const gate = h(
    'strong',
    { class: `gate-${style === 'thin' ? 'inconclusive' : run.gate.result}` },
    run.gate.result,
  )
  const share =
    shareText(subject.runCoverage(lanes), run.selection) +
    (run.gate.strict ? ', strict gate ' : ', gate ')
  const ignored = subject.ignoredVersionText(run)
  return h(
    'header',
    {},
    h('p', { class: 'suite' }, factsOf(records)),
    h('h1', {}, `${subject.targetText(run)} `, verdict(run.verdict, lanes)),
    h('p', { class: 'coverage' }, share, gate),
    ...list('notes', run.selection ? [`${selectionText(run.selection)}.`] : []),
    ...(style === 'thin'
      ? [banner(`${subject.thinText}. The part Untested lists the causes.`, 'thin')]
      : []),
    ...(run.provisional ? [banner(`${subject.provisionalText}.`)] : []),
    ...(run.interrupted ? [banner('The run was interrupted: this report is partial.')] : []),
    ...(ignored ? [banner(`${ignored}.`)] : []),
    ...list('notes', subject.notesOn(run)),
    ...setup(run),
    h('div', { class: 'lanes' }, ...lanes.map(card)),
    h('div', { class: 'tiles' }, ...subject.judgedAreas(lanes).map((area) => tile(area, lanes))),
  )
}

function factsOf({ run: { suite, seed }, reports }: RunRecords) {
  const began = reports.map(({ startedAt }) => startedAt).sort()[0]
  const when = began === undefined ? [] : [`${began.slice(0, 10)} ${began.slice(11, 16)} UTC`]
  return [...when, `${suite.name} ${suite.version}`, `seed ${seed}`].join(' · ')
}

const banner = (text: string, style = '') =>
  h('p', { class: `banner ${style}`, role: 'alert' }, text)

function verdict(text: Verdict, lanes: readonly ReportLane[]) {
  return h(
    'span',
    { class: `verdict ${subject.verdictStyle(text, lanes)}` },
    verdictName(text, lanes[0] ?? {}),
  )
}

/** The coverage in words, without a line break before the percent sign. */
function shareText(of: Coverage, selection: ReportLane['selection']) {
  return coverageText(of, selection).replaceAll(' %', '\u00a0%')
}

function setup({ preflight }: RunRecord): Child[] {
  if (!preflight) return []
  const rows = preflight.tokens.map((one) => [
    one.token,
    one.kind,
    one.role ?? '',
    one.login ?? '',
    one.state,
    one.says,
  ])
  const head = ['token', 'kind', 'role', 'login', 'the target', 'first request']
  const tokens = () => table("The target's treatment of each token", head, rows)
  return [disclosure({ class: 'setup' }, [`Judged with ${subject.setupText(preflight)}`], tokens)]
}

function card(lane: ReportLane) {
  const { totals, verdict: text, checks, warnings } = lane.report
  const found = urgentFirst
    .slice(0, -1)
    .flatMap((urgent) => tallyOf(checks).filter(({ outcome }) => outcome === urgent))
  const badges = found.map(({ outcome, words, count }) => badge(outcome, grouped(count), words))
  return h(
    'article',
    { class: 'lane-card' },
    h('h2', {}, `${lane.name} `, verdict(text, [lane])),
    h('p', { class: 'share' }, shareText(coverageOf(checks), lane.selection)),
    bar(totals),
    ...list('counts', badges),
    h('p', { class: 'quiet' }, subject.trafficText(lane.report)),
    ...list('notes', warnings),
  )
}

/** The outcomes as one bar: the part of each is as long as its share, and leads to the checks with this outcome. */
function bar(totals: Readonly<Partial<Record<Outcome, number>>>, filter = '') {
  const shares = urgentFirst.flatMap((outcome) => {
    const count = totals[outcome] ?? 0
    if (count === 0) return []
    const drawn = h('a', {
      class: outcome,
      href: `#?outcome=${outcome}${filter}`,
      title: `${grouped(count)} ${outcome}`,
    })
    drawn.style.flexGrow = String(count)
    return [drawn]
  })
  return h('div', { class: 'bar' }, ...shares)
}

/** A tile for each area with a bar for each version. */
function tile(area: Area, lanes: readonly ReportLane[]) {
  const judged = lanes.map(({ name, report }) => ({
    name,
    own: report.checks.filter((check) => check.area === area),
  }))
  const { judged: share, applicable } = coverageOf(judged.flatMap(({ own }) => own))
  const rows = judged.flatMap(({ name, own }) => {
    const { inapplicable: _, ...totals } = countOutcomes(own)
    const words = h('p', {}, h('span', { class: 'quiet' }, name), h('span', {}, ...tallies(totals)))
    return own.length === 0 ? [] : [words, bar(totals, `&area=${area}`)]
  })
  const percent = h('span', { class: 'quiet' }, percentOf(share, applicable))
  return h(
    'article',
    { class: 'tile' },
    h('h2', {}, h('a', { href: `#?area=${area}` }, area), percent),
    ...rows,
  )
}
