import type { CheckRecord } from '../../record/check-record.ts'
import type { Outcome } from '../../record/outcome.ts'
import { deviating, type ReportLane, type RunRecords, reportLanes } from '../../record/records.ts'
import { countOutcomes } from '../../record/verdict.ts'
import { areas } from '../../spec/endpoint.ts'
import { groupBy } from '../../text/group.ts'
import { printable } from '../../text/show.ts'

/** Deviations that a summary names; a comment on a change must stay short. */
const namedAtMost = 25

const marks: Readonly<Record<Outcome, string>> = {
  passed: '✅',
  failed: '❌',
  warned: '⚠️',
  waived: '📝',
  untested: '❔',
  inapplicable: '➖',
  errored: '💥',
}

/** `summary.md`: verdicts per version and area, then what deviates; short enough for a comment on a change. */
export function renderMarkdown(records: RunRecords): string {
  const { run } = records
  const lanes = reportLanes(records)
  return [
    `# Conformance: ${run.verdict}`,
    '',
    `Target ${code(run.target.baseUrl)}, gate **${run.gate.result}**${run.interrupted ? ', **interrupted: partial**' : ''}.`,
    '',
    ...(run.crossVersion.ignoresVersion ? [`> ${text(run.crossVersion.ignoresVersion)}`, ''] : []),
    ...verdictTable(lanes),
    '',
    ...[...run.gate.missed, ...run.gate.warnings].map((line) => `- ${text(line)}`),
    ...(run.gate.missed.length + run.gate.warnings.length > 0 ? [''] : []),
    ...deviationLines(lanes),
    ...needLines(lanes),
    `Seed ${run.seed}; ${marks.passed} passed, ${marks.failed} failed, ${marks.warned} warned, ${marks.waived} waived, ${marks.untested} untested, ${marks.inapplicable} inapplicable, ${marks.errored} errored.`,
    '',
  ].join('\n')
}

function verdictTable(lanes: readonly ReportLane[]): string[] {
  const judged = areas.filter((area) => lanes.some(({ report }) => report.checks.some((check) => check.area === area)))
  return [
    `| | ${judged.join(' | ')} | verdict |`,
    `|---|${judged.map(() => '---|').join('')}---|`,
    ...lanes.map(({ name, report }) => {
      const cells = judged.map((area) => counts(report.checks.filter((check) => check.area === area)))
      return `| ${name} | ${cells.join(' | ')} | **${report.verdict}** |`
    }),
  ]
}

function counts(checks: readonly CheckRecord[]): string {
  const totals = countOutcomes(checks)
  return (Object.keys(marks) as Outcome[])
    .filter((outcome) => totals[outcome] > 0 && outcome !== 'inapplicable')
    .map((outcome) => `${marks[outcome]} ${totals[outcome]}`)
    .join(' ')
}

/** Failures first, each once with the versions it shows in. */
function deviationLines(lanes: readonly ReportLane[]): string[] {
  const found = lanes.flatMap(({ name, report }) => deviating(report.checks).map((check) => ({ name, check })))
  const ranked = (['failed', 'warned', 'waived'] as const).flatMap((outcome) =>
    found.filter(({ check }) => check.outcome === outcome),
  )
  const byCheck = [...groupBy(ranked, ({ check }) => `${check.outcome} ${check.id}`).values()]
  const shown = byCheck.slice(0, namedAtMost).map((same) => {
    const check = same[0]?.check as CheckRecord
    const versions = same.map(({ name }) => name).join(', ')
    return `- ${marks[check.outcome]} ${code(check.id)} ${code(check.endpoint)} ${text(check.title)} (${check.section}; ${versions})  \n  ${text(cut(check.detail))}`
  })
  const left = byCheck.length - shown.length
  if (byCheck.length === 0) return []
  return ['## Deviations', '', ...shown, ...(left > 0 ? [`- … and ${left} more, in the report`] : []), '']
}

function needLines(lanes: readonly ReportLane[]): string[] {
  const missing = lanes.flatMap(({ report }) =>
    report.checks.filter(({ outcome }) => outcome === 'untested').flatMap(({ missing }) => missing),
  )
  const ranked = [...groupBy(missing, (need) => need)].sort(([, a], [, b]) => b.length - a.length).slice(0, 5)
  if (ranked.length === 0) return []
  return [
    `Untested because of missing needs: ${ranked.map(([need, checks]) => `${code(need)} (${checks.length})`).join(', ')}.`,
    '',
  ]
}

function cut(line: string): string {
  return line.length > 240 ? `${line.slice(0, 240)}…` : line
}

/** Text from the target as Markdown that means only itself. */
export function text(line: string): string {
  return printable(line).replace(/[\\`*_{}[\]<>()#+!|~@&]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Text as a code span; backticks would end it. */
export function code(line: string): string {
  return `\`${printable(line).replaceAll('`', "'").replaceAll('|', '\\|')}\``
}
