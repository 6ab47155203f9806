import type { CheckRecord } from '../../record/check-record.ts'
import { coverageOf, coverageText, grouped, isThin, sumCoverage, verdictText } from '../../record/coverage.ts'
import type { Outcome } from '../../record/outcome.ts'
import { deviating, type ReportPart, type RunRecords, reportParts } from '../../record/report-parts.ts'
import { countOutcomes } from '../../record/verdict.ts'
import { areas } from '../../spec/endpoint.ts'
import { groupBy } from '../../text/group.ts'
import { cut, printable } from '../../text/show.ts'
import { lackedNeeds } from '../view/lacked-needs.ts'
import { code, text } from '../view/markdown-text.ts'
import { meansText } from '../view/subject.ts'

/** Deviations that a summary explains, as far as its size allows; the others are counted. */
const namedAtMost = 100

/** Characters of what was expected and of what was found; each keeps its beginning, so that neither hides the other. */
const sentenceLength = 240

/** The largest summary that products accept as a comment is 65,536 characters. Characters. */
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

/** `summary.md`: verdicts with their coverage per version and area, then what deviates and what was missing; short enough for a comment on a change. */
export function renderMarkdown(records: RunRecords): string {
  const { run } = records
  const lanes = reportParts(records)
  const coverage = sumCoverage(lanes.map(({ report }) => coverageOf(report.checks)))
  const notes = [...run.gate.missed, ...run.gate.open, ...(run.preflight?.notes ?? []), ...run.gate.warnings].map(
    (line) => `- ${text(line)}`,
  )
  return [
    `# Conformance: ${verdictText(run.verdict, coverage)}`,
    '',
    `Target ${run.preflight?.reference ? 'the embedded reference server' : code(run.target.baseUrl)}, gate **${run.gate.result}**${run.interrupted ? ', **interrupted: partial**' : ''}.`,
    '',
    ...(run.preflight ? [`Judged with ${text(meansText(run.preflight))}.`, ''] : []),
    ...(run.verdict === 'conforms' && lanes.some(({ report }) => isThin(report.checks))
      ? ['> Less than half of the must-level checks were judged: the verdict says little about the target.', '']
      : []),
    ...(run.crossVersion.ignoresVersion ? [`> ${text(run.crossVersion.ignoresVersion)}`, ''] : []),
    ...verdictTable(lanes),
    '',
    ...(notes.length > 0 ? [...notes, ''] : []),
    ...deviationLines(lanes),
    ...erroredLines(lanes),
    ...untestedLines(lanes),
    `Seed ${run.seed}, ${run.suite.name} ${run.suite.version}; ${(Object.keys(marks) as Outcome[]).map((outcome) => `${marks[outcome]} ${outcome}`).join(', ')}.`,
    '',
  ].join('\n')
}

function verdictTable(lanes: readonly ReportPart[]): string[] {
  const judged = areas.filter((area) => lanes.some(({ report }) => report.checks.some((check) => check.area === area)))
  return [
    `| | ${judged.join(' | ')} | verdict | coverage |`,
    `|---|${judged.map(() => '---|').join('')}---|---|`,
    ...lanes.map(({ name, report }) => {
      const cells = judged.map((area) => counts(report.checks.filter((check) => check.area === area)))
      return `| ${name} | ${cells.join(' | ')} | **${report.verdict}** | ${coverageText(coverageOf(report.checks))} |`
    }),
  ]
}

function counts(checks: readonly CheckRecord[]): string {
  const totals = countOutcomes(checks)
  return (Object.keys(marks) as Outcome[])
    .filter((outcome) => totals[outcome] > 0 && outcome !== 'inapplicable')
    .map((outcome) => `${marks[outcome]} ${grouped(totals[outcome])}`)
    .join(' ')
}

/** Failures first, each once with the versions it shows in, as many as the size of the summary allows. */
function deviationLines(lanes: readonly ReportPart[]): string[] {
  const found = lanes.flatMap(({ name, report }) => deviating(report.checks).map((check) => ({ name, check })))
  const ranked = (['failed', 'warned', 'waived'] as const).flatMap((outcome) =>
    found.filter(({ check }) => check.outcome === outcome),
  )
  const byCheck = [...groupBy(ranked, ({ check }) => `${check.outcome} ${check.id}`).values()]
  const all = byCheck.slice(0, namedAtMost).map(deviationEntry)
  const sizes = all.map((_, index) => all.slice(0, index + 1).join('').length)
  const shown = all.filter((_, index) => (sizes[index] ?? 0) <= largest)
  const left = byCheck.length - shown.length
  if (byCheck.length === 0) return []
  return ['## Deviations', '', ...shown, ...(left > 0 ? [`- … and ${left} more, in the report`] : []), '']
}

function deviationEntry(same: readonly { readonly name: string; readonly check: CheckRecord }[]): string {
  const [first] = same
  if (!first) return ''
  const { check } = first
  const head = `- ${marks[check.outcome]} ${code(check.id)} ${code(check.endpoint)} ${text(check.title)} (${text(check.section)}; ${same.map(({ name }) => name).join(', ')})`
  return [head, ...evidenceLines(check)].join('  \n  ')
}

/** What was expected and what was found, each on a line of its own. */
function evidenceLines({ deviation, detail, outcome }: CheckRecord): string[] {
  if (!deviation) return [sentence(detail)]
  const place = !deviation.pointer ? '' : ` at ${code(deviation.pointer)}`
  const waiver = /\(waived until .*\)$/s.exec(detail)?.[0]
  return [
    `expected ${sentence(deviation.expected)}`,
    `got ${sentence(deviation.actual)}${place}`,
    ...(outcome === 'waived' && waiver !== undefined ? [sentence(waiver)] : []),
  ]
}

function sentence(value: string): string {
  return text(cut(printable(value), sentenceLength))
}

/** Reasons and needs that a summary names. */
const listedAtMost = 5

function erroredLines(lanes: readonly ReportPart[]): string[] {
  const errored = lanes.flatMap(({ report }) => report.checks.filter(({ outcome }) => outcome === 'errored'))
  const reasons = [...groupBy(errored, ({ detail }) => detail)].sort(([, a], [, b]) => b.length - a.length)
  if (reasons.length === 0) return []
  return [
    '## Without a verdict',
    '',
    ...reasons.slice(0, listedAtMost).map(([why, checks]) => `- ${grouped(checks.length)}: ${sentence(why)}`),
    '',
  ]
}

/** Untested checks by the need that would unlock most; a few of them by name. */
function untestedLines(lanes: readonly ReportPart[]): string[] {
  const untested = lanes.flatMap(({ report }) => report.checks.filter(({ outcome }) => outcome === 'untested'))
  if (untested.length === 0) return []
  const ranked = lackedNeeds(lanes)
  const lines = ranked.slice(0, listedAtMost).map(({ need, what, checks }) => {
    const ids = [...new Set(checks.map(({ id }) => id))]
    const named = ids.length <= listedAtMost ? `: ${ids.map(code).join(', ')}` : ''
    return `- ${grouped(checks.length)} ${need === '' ? what : what.replace(need, code(need))}${named}`
  })
  return [
    `## Untested: ${grouped(untested.length)} checks`,
    '',
    ...lines,
    ...(ranked.length > listedAtMost ? ['- … `service-conformance doctor` names the others'] : []),
    '',
  ]
}
