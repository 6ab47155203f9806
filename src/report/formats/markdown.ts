import type { CheckRecord } from '../../record/check-record.ts'
import { type Outcome, phraseOf } from '../../record/reason.ts'
import { type ReportLane, type RunRecords, reportLanes } from '../../record/report-lanes.ts'
import {
  coverageOf,
  coverageText,
  gateText,
  runVerdictText,
  selectionText,
  tallyOf,
} from '../../record/verdict.ts'
import { counted, cut, grouped, printable } from '../../text/format.ts'
import { type Cause, erroredCauses, untestedCauses } from '../view/causes.ts'
import {
  causeName,
  causesOf,
  itemsSentence,
  type Judgement,
  missText,
  type SameCause,
  variationText,
} from '../view/findings.ts'
import { code, fitting, limited, text } from '../view/markup.ts'
import {
  ignoredVersionText,
  judgedAreas,
  notesOn,
  provisionalText,
  runCoverage,
  setupText,
  silencesOf,
  silenceTitle,
  thinText,
  verdictStyle,
} from '../view/subject.ts'

/** The most characters of an expected or actual value. It keeps its beginning. */
const sentenceLength = 240

/** The most characters of the deviations in a summary: common services limit a comment to 65,536. */
const largest = 50_000

const marks: Readonly<Record<Outcome, string>> = {
  passed: '✅',
  failed: '❌',
  warned: '⚠️',
  waived: '📝',
  untested: '❔',
  inapplicable: '➖',
  errored: '💥',
}

/** `summary.md`: the verdicts with their coverage, the deviations and the causes of missing verdicts, short enough for a comment. */
export function renderMarkdown(records: RunRecords) {
  const { run } = records
  const lanes = reportLanes(records)
  const untested = lanes.reduce((sum, { report }) => sum + report.totals.untested, 0)
  const errored = erroredCauses(lanes).map(
    ({ phrase, checks }) => `- ${grouped(checks.length)}: ${sentence(phrase)}`,
  )
  const legend = Object.entries(marks).map(([outcome, mark]) => `${mark} ${outcome}`)
  const notes = notesOn(run).map((line) => `- ${text(line)}`)
  const ignored = ignoredVersionText(run)
  return [
    `# Conformance: ${runVerdictText(run.verdict, runCoverage(lanes), run)}`,
    '',
    `Target ${run.preflight?.reference ? 'the embedded reference server' : code(run.target.baseUrl)}, gate **${text(gateText(run))}**${run.interrupted ? ', **interrupted: partial**' : ''}.`,
    '',
    ...(run.preflight ? [`Judged with ${text(setupText(run.preflight))}.`, ''] : []),
    ...(run.selection ? [`> ${text(selectionText(run.selection))}.`, ''] : []),
    ...(run.provisional ? [`> ${provisionalText}.`, ''] : []),
    ...(verdictStyle(run.verdict, lanes) === 'thin' ? [`> ${thinText}.`, ''] : []),
    ...(ignored ? [`> ${ignored}.`, ''] : []),
    ...verdictTable(lanes),
    '',
    ...paragraph(notes),
    ...paragraph(deviationLines(lanes), '## Deviations'),
    ...paragraph(errored.slice(0, listedAtMost), '## Without a verdict'),
    ...paragraph(untestedLines(lanes), `## Untested: ${grouped(untested)} checks`),
    ...paragraph(silentLines(lanes), `## ${silenceTitle}`),
    `Seed ${run.seed}, ${run.suite.name} ${run.suite.version}; ${legend.join(', ')}.`,
    '',
  ].join('\n')
}

/** Lines below their heading, and an empty line; nothing if there are none. */
function paragraph(lines: readonly string[], heading?: string) {
  if (lines.length === 0) return []
  return [...(heading === undefined ? [] : [heading, '']), ...lines, '']
}

function verdictTable(lanes: readonly ReportLane[]) {
  const judged = judgedAreas(lanes)
  return [
    `| | ${judged.join(' | ')} | verdict | coverage |`,
    `|---|${judged.map(() => '---|').join('')}---|---|`,
    ...lanes.map(({ name, report, selection }) => {
      const cells = judged.map((area) =>
        counts(report.checks.filter((check) => check.area === area)),
      )
      return `| ${name} | ${cells.join(' | ')} | **${report.verdict}** | ${coverageText(coverageOf(report.checks), selection)} |`
    }),
  ]
}

function counts(checks: readonly CheckRecord[]) {
  return tallyOf(checks)
    .filter(({ outcome }) => outcome !== 'inapplicable')
    .map(
      ({ outcome, words, count }) =>
        `${marks[outcome]} ${grouped(count)}${words === outcome ? '' : ` ${words}`}`,
    )
    .join(' ')
}

function deviationLines(lanes: readonly ReportLane[]) {
  const more = (left: number) => [`- … and ${counted(left, 'more cause')}, in the report`]
  return fitting(causesOf(lanes).map(causeEntry), largest, more)
}

function causeEntry(cause: SameCause) {
  const [judgement, ...same] = cause.map(({ latest }) => latest) as [Judgement, ...Judgement[]]
  const { check } = judgement
  const head = `- ${marks[check.outcome]} ${causeName(cause, { id: code, words: text })}: ${code(check.endpoint)} ${text(check.title)} (${text(check.section)})`
  const others = same.map((one) => code(one.check.id))
  const also =
    others.length === 0
      ? []
      : [`the same: ${limited(others, listedAtMost, (left) => `${left} more`).join(', ')}`]
  return [head, ...evidenceLines(judgement), ...also].join('  \n  ')
}

function evidenceLines(judgement: Judgement) {
  const { deviation, detail, reason } = judgement.check
  const missed = missText(judgement)
  if (!deviation) return [sentence(detail)]
  const place = !deviation.pointer ? '' : ` at ${code(deviation.pointer)}`
  return [
    `expected ${sentence(deviation.expected)}`,
    `got ${sentence(deviation.actual)}${place}${sentence(variationText(deviation))}`,
    ...(deviation.items ? [sentence(itemsSentence(deviation.items))] : []),
    ...(missed === undefined ? [] : [sentence(missed)]),
    ...(reason?.code === 'waived' ? [`(${sentence(phraseOf(reason))})`] : []),
  ]
}

const sentence = (value: string) => text(cut(printable(value), sentenceLength))

/** Causes that a summary names, and checks of a cause. */
const listedAtMost = 5

function untestedLines(lanes: readonly ReportLane[]) {
  const lines = untestedCauses(lanes).map(causeLine)
  return limited(lines, listedAtMost, (left) => `- … and ${counted(left, 'other cause')}`)
}

function silentLines(lanes: readonly ReportLane[]) {
  const lines = silencesOf(lanes).flatMap(({ endpoint, lines }) =>
    lines.map((line) => `- ${code(endpoint)} ${sentence(line)}`),
  )
  return limited(lines, 20, (left) => `- … and ${counted(left, 'more choice')}, in the report`)
}

function causeLine({ phrase, checks }: Cause) {
  const ids = [...new Set(checks.map(({ id }) => id))]
  const named = ids.length <= listedAtMost ? `: ${ids.map(code).join(', ')}` : ''
  return `- ${grouped(checks.length)} ${text(phrase)}${named}`
}
