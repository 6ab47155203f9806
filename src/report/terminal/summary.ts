import { join } from 'node:path'
import type { CheckRecord } from '../../record/check-record.ts'
import { type ReportLane, reportLanes } from '../../record/report-lanes.ts'
import type { Difference, Report, RunRecord } from '../../record/run-record.ts'
import {
  gateText,
  isBegun,
  runVerdictText,
  selectionText,
  tallyOf,
  verdictName,
} from '../../record/verdict.ts'
import { documentRequirements } from '../../spec/requirements.ts'
import { apiVersions } from '../../spec/versions.ts'
import { sumOf } from '../../text/data.ts'
import { counted, grouped, printable } from '../../text/format.ts'
import { renderTable, wrapped } from '../../text/table.ts'
import { type Cause, erroredCauses, untestedCauses } from '../view/causes.ts'
import {
  causeFacts,
  causeName,
  causesOf,
  differenceOf,
  failureBlock,
  findingsOf,
  inFull,
  missText,
  type SameCause,
  shortBlock,
  stateOf,
} from '../view/findings.ts'
import { limited } from '../view/markup.ts'
import {
  ignoredVersionText,
  provisionalText,
  runCoverage,
  seenText,
  setupText,
  silencesOf,
  silenceTitle,
  targetArguments,
  targetText,
  thinText,
  trafficText,
  unseenChanges,
  verdictStyle,
} from '../view/subject.ts'
import { lagTable, requestTable, waitTable } from '../view/traffic.ts'
import { paint, type Terminal } from './terminal.ts'

/** A terminal, the formats of the reports, and whether every request of a deviation is printed. */
type View = Terminal & { readonly formats: readonly string[]; readonly verbose?: boolean }

/** The end of a run on the terminal, the verdicts last. `directory` is undefined if no report was written. */
export function renderConclusion(
  run: RunRecord,
  reports: readonly Report[],
  directory: string | undefined,
  view: View,
) {
  const lanes = reportLanes({ run, reports })
  const waivedLine = ({ id, detail }: CheckRecord) =>
    `${paint(view, 'waived', 'WAIVED')} ${id}: ${printable(detail)}`
  const waived = findingsOf(lanes, ['waived']).map(({ latest }) => waivedLine(latest.check))
  const further = [
    ...named(waived, 'waived check'),
    ...erroredLines(lanes, view),
    ...(run.selection ? [] : differenceLines(run.crossVersion.differences)),
    ...untestedLines(run, lanes, view),
    ...(view.verbose ? [...silentLines(lanes), ...trafficLines(lanes)] : []),
    ...noticeLines(run, lanes, view),
    ...verdictLines(run, lanes, view),
    ...(directory === undefined
      ? []
      : [
          view.formats.includes('html')
            ? `open ${join(directory, 'report.html')}`
            : `the reports are in ${directory}`,
        ]),
  ]
  const ignored = ignoredVersionText(run)
  return [
    ...(ignored ? ['', `${ignored}.`] : []),
    ...deviationLines(run, lanes, view, screenLines - heightOf(further)),
    ...further,
  ]
}

/** Lines of one kind that the terminal prints; the page has the rest. */
const namedAtMost = 5

/** Rows of a table that a verbose terminal prints. */
const rowsAtMost = 30

function erroredLines(lanes: readonly ReportLane[], view: Terminal) {
  const label = (check?: CheckRecord) =>
    check && !isBegun(check)
      ? paint(view, 'untested', 'NOT BEGUN')
      : paint(view, 'errored', 'ERRORED')
  const line = ({ phrase, checks: [first, ...more] }: Cause) =>
    `${label(first)} ${more.length === 0 ? `${first?.id}: ${printable(first?.detail ?? '')}` : `${grouped(more.length + 1)} checks: ${printable(phrase)}`}`
  return named(erroredCauses(lanes).map(line), 'reason')
}

function named(lines: readonly string[], noun: string) {
  const shown = limited(lines, namedAtMost, (left) => `and ${counted(left, `more ${noun}`)}`)
  return shown.length === 0 ? [] : ['', ...shown]
}

function untestedLines(run: RunRecord, lanes: readonly ReportLane[], view: Terminal) {
  const causes = untestedCauses(lanes)
  if (causes.length === 0) return []
  const untested = sumOf(lanes, ({ report }) => report.totals.untested)
  const width = grouped(causes[0]?.checks.length ?? 0).length
  const lines = causes.map(({ phrase, how, doctor, checks }) => {
    const words = doctor || how === undefined ? phrase : `${phrase}; ${how}`
    return `  ${grouped(checks.length).padStart(width)}  ${printable(words)}`
  })
  return [
    '',
    `${paint(view, 'untested', 'UNTESTED')} ${counted(untested, 'check')}:`,
    ...limited(lines, namedAtMost, (left) => `  and ${counted(left, 'other cause')}`),
    ...(causes.some(({ doctor }) => doctor) ? [nextStep(run)] : []),
  ]
}

function noticeLines(run: RunRecord, lanes: readonly ReportLane[], { verbose }: View) {
  const silences = sumOf(silencesOf(lanes), ({ lines }) => lines.length)
  const left = run.leftBehind.length
  const warnings = new Set(lanes.flatMap(({ report }) => report.warnings))
  const lines = [
    ...[...warnings].map((warning) => `warning: ${printable(warning)}`),
    ...(run.preflight?.notes ?? []).map((note) => `note: ${printable(note)}`),
    ...(left === 0
      ? []
      : [
          `note: the run left ${counted(left, 'object')} of its own on the target; run.json lists them`,
        ]),
    ...(silences === 0 || verbose
      ? []
      : [
          `note: your server made ${counted(silences, 'choice')} where the document is silent, none of them wrong; see --verbose`,
        ]),
    ...run.gate.warnings.map((text) => `note: ${printable(text)}`),
    ...run.gate.missed.map((text) => `gate: ${printable(text)}`),
    ...(run.interrupted ? [] : run.gate.open.map((text) => `inconclusive: ${printable(text)}`)),
  ]
  return lines.length === 0 ? [] : ['', ...lines]
}

/** The choices of the target where the document is silent, for a verbose terminal. */
function silentLines(lanes: readonly ReportLane[]) {
  const lines = silencesOf(lanes).flatMap(({ endpoint, lines }) => [
    endpoint,
    ...lines.map((line) => `  ${printable(line)}`),
  ])
  return lines.length === 0 ? [] : ['', `${silenceTitle}:`, ...lines]
}

/** The observed lags, the waits and the requests of a run, for a verbose terminal. */
function trafficLines(lanes: readonly ReportLane[]) {
  const tables = [lagTable(lanes), waitTable(lanes), requestTable(lanes)].filter(
    ({ rows }) => rows.length > 0,
  )
  return tables.flatMap(({ title, head, rows }) => {
    const shown = renderTable(head, rows.slice(0, rowsAtMost)).trimEnd().split('\n')
    const left = rows.length - rowsAtMost
    return ['', title, ...shown, ...(left > 0 ? [`and ${grouped(left)} more (report.json)`] : [])]
  })
}

function nextStep(run: RunRecord) {
  return `next step: npx service-conformance doctor${printable(targetArguments(run))}`
}

function verdictLines(run: RunRecord, lanes: readonly ReportLane[], view: View) {
  const style = verdictStyle(run.verdict, lanes)
  return [
    '',
    `${printable(targetText(run))}  ${paint(view, 'quiet', `${run.suite.name} ${run.suite.version}, seed ${run.seed}`)}`,
    ...(run.preflight
      ? [paint(view, 'quiet', printable(setupText(run.preflight, view.verbose ?? false)))]
      : []),
    ...lanes.map((lane) => laneLine(lane, view)),
    ...(run.interrupted
      ? [paint(view, 'inconclusive', 'interrupted: these reports are partial')]
      : []),
    `${paint(view, style, runVerdictText(run.verdict, runCoverage(lanes), run))}, gate ${printable(gateText(run))}`,
    ...(run.selection ? [paint(view, 'quiet', printable(selectionText(run.selection)))] : []),
    ...(run.provisional ? [paint(view, 'quiet', provisionalText)] : []),
    ...(style === 'thin' ? [`${thinText}; ${nextStep(run)}`] : []),
  ]
}

function laneLine(lane: ReportLane, view: View) {
  const { verdict, checks } = lane.report
  const counts = tallyOf(checks).map(({ outcome, words, count }) =>
    paint(view, outcome, `${grouped(count)} ${words}`),
  )
  const name = verdictName(verdict, lane)
  const words = paint(view, verdictStyle(verdict, [lane]), name)
  const traffic = view.verbose ? `; ${trafficText(lane.report)}` : ''
  return `${paint(view, 'strong', lane.name)}  ${words}: ${counts.join(', ')}${traffic}`
}

/** Lines of 80 columns on a first screen. */
const screenLines = 40
/** Further causes that the terminal prints in short. */
const linesAtMost = 32

const heightOf = (lines: readonly string[]) => wrapped(lines, 80).split('\n').length - 1

/** The failures and warnings, each cause once: those in full that leave `room` for the others, or the first two. */
function deviationLines(run: RunRecord, lanes: readonly ReportLane[], view: View, room: number) {
  const all = causesOf(lanes, ['failed', 'warned'])
  const following = view.verbose ? [] : all.filter((cause) => followsHeader(cause, run))
  const causes = all.filter((cause) => !following.includes(cause))
  const id = (name: string) => paint(view, 'strong', name)
  const headOf = (cause: SameCause) => {
    const [{ outcome, latest }] = cause
    return `${paint(view, outcome, stateOf(latest).toUpperCase())} ${causeName(cause, { id, all: run.versions.length })}`
  }
  const drawn = (cause: SameCause) => ['', headOf(cause), ...blockOf(cause, view.verbose)]
  const place = view.formats.includes('html') ? 'on the page' : 'in the reports'
  const sectionOf = (most: number) => {
    const full = inFull(causes).slice(0, most)
    const blocks = causes.filter((cause) => full.includes(cause)).flatMap(drawn)
    const rest = causes.filter((cause) => !full.includes(cause))
    if (rest.length === 0) return blocks
    const brief = rest.slice(0, linesAtMost).flatMap((cause) => [headOf(cause), briefLine(cause)])
    const counts = `${full.length} of ${counted(causes.length, 'cause')} in full, ${brief.length / 2} in short`
    return [...blocks, '', ...brief, `${counts}, all ${place}; to repeat one: --only ID`]
  }
  if (view.verbose) return sectionOf(8)
  const some = sectionOf(2)
  const fitting = [sectionOf(3), some, sectionOf(1)].find((lines) => heightOf(lines) <= room)
  const line = `${counted(following.length, 'more cause')} because of the ignored version header`
  return [...(fitting ?? some), ...(following.length === 0 ? [] : ['', line])]
}

/** True for a cause in the changes of a version that is never served, because the target ignores the version header. */
function followsHeader(cause: SameCause, { crossVersion: { ignoresVersion } }: RunRecord) {
  const { serves } = ignoresVersion ?? {}
  const unserved: readonly string[] = apiVersions.filter((version) => serves && version !== serves)
  return cause.every(
    ({ latest: { check }, names }) =>
      check.area === 'versioning' && names.every((name) => unserved.includes(name)),
  )
}

/** The claim of a cause, the expected and the actual value and its place, in one line. */
function briefLine(cause: SameCause) {
  const { check } = cause[0].latest
  const named = causeFacts(cause).endpoints > 1 ? `${check.id}: ` : ''
  const { claim, expected, actual } = differenceOf(check, 60)
  return `  ${named}${claim}; expected ${expected}, actual ${actual}`
}

/** The evidence of a cause, in the newest version that has it. */
function blockOf(cause: SameCause, verbose = false) {
  const [{ latest }, ...same] = cause
  const { check, lane } = latest
  const missed = check.confirmedAs ? undefined : missText(latest)
  // Checks of the same suite have the same beginning.
  const suite = /^[^.]+\.[^.]+\./.exec(check.id)?.[0] ?? ''
  const equal = same.map((one) => one.latest.check.id.replace(suite, ''))
  const named = limited(equal, verbose ? 30 : 3, (left) => `${left} more`)
  return [
    ...(causeFacts(cause).endpoints > 1 ? [`  first     ${check.id}`] : []),
    ...(verbose ? failureBlock(check, lane.report).slice(1) : shortBlock(check, lane.report)),
    ...(missed === undefined ? [] : [`  effect    ${printable(missed)}`]),
    ...(named.length === 0 ? [] : [`  same      ${named.join(', ')}`]),
  ]
}

/** The differences between the versions: the listed changes that were not seen, and the unlisted differences. Nothing if all is as listed. */
export function differenceLines(differences: readonly Difference[]) {
  if (differences.length === 0) return []
  const line = ({ endpoint, at, kind, older, newer }: Difference) =>
    printable(`  ${endpoint} ${at}: ${kind}, ${older || 'absent'} → ${newer || 'absent'}`)
  const unlisted = differences.filter(({ change }) => change === undefined).map(line)
  const unseen = unseenChanges(differences, documentRequirements)
  if (unseen.length === 0 && unlisted.length === 0) return []
  const rest =
    unlisted.length === 0
      ? 'nothing else differs'
      : `${counted(unlisted.length, 'difference')} that no change lists:`
  const named = unseen.length > 2 ? [unseen.map((text) => text.split(':')[0]).join(', ')] : unseen
  return [
    '',
    `differences between the versions: ${seenText(unseen)}; ${rest}`,
    ...limited(unlisted, 3, (left) => `  and ${left} more`),
    ...named.map((line) => `  not seen  ${line}`),
  ]
}
