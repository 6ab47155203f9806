import { grouped, runVerdictText } from '../../record/coverage.ts'
import { groupBy } from '../../text/data.ts'
import { counted, printable } from '../../text/format.ts'
import { renderPage } from '../html/page.ts'
import { code, text } from '../view/markdown-text.ts'
import type { Comparison, OutcomeChange } from './compare.ts'

/** The changes for the terminal, the regressions first. */
export function comparisonText({ runs, changes, unchanged, unselected, cautions }: Comparison): string {
  const groups = groupBy(changes, ({ kind }) => kind)
  return [
    ...runs.map(({ name, target, ...run }, index) => `${index + 1}. ${printable(name)}  ${printable(target)}  ${verdictOf(run)}`),
    ...cautions.map((caution) => `caution: ${printable(caution)}`),
    ...[...groups].flatMap(([kind, same]) => [
      '',
      `${grouped(same.length)} ${kind}: ${meanings[kind]}`,
      ...same.flatMap(changeLines),
    ]),
    '',
    ...unselectedLines(unselected),
    `${grouped(changes.length)} changed, ${grouped(unchanged)} unchanged`,
    '',
  ].join('\n')
}

function verdictOf({
  verdict,
  coverage,
  selection,
}: Pick<Comparison['runs'][number], 'verdict' | 'coverage' | 'selection'>): string {
  return runVerdictText(verdict, coverage, selection)
}

/** The meaning of each kind of change. */
const meanings: Readonly<Record<OutcomeChange['kind'], string>> = {
  regression: 'worse than before',
  lost: 'passed before, not judged now',
  fix: 'better than before',
  unlocked: 'not judged before, passed now',
  new: 'not among the checks before',
  unselected: 'not among the checks now',
  other: 'changed without being better or worse',
}

function unselectedLines(unselected: number): string[] {
  return unselected === 0 ? [] : [`${counted(unselected, 'check')} that passed before: not selected in the last run`]
}

function changeLines({ kind, part, id, title, outcomes, detail }: OutcomeChange): string[] {
  const moved = outcomes.map((outcome) => outcome ?? 'absent').join(' → ')
  const line = `  ${part}  ${id}  ${moved}  ${printable(title)}`
  return kind === 'regression' && detail !== '' ? [line, `    ${printable(detail)}`] : [line]
}

/** The changes for a comment in a code review. */
export function comparisonMarkdown({ runs, changes, unchanged, unselected, cautions }: Comparison): string {
  const head = runs.map(({ name }) => code(name))
  return [
    `# ${headline(changes)}`,
    '',
    ...runs.map((run, index) => `${index + 1}. ${code(run.name)}: ${verdictOf(run)}`),
    '',
    ...cautions.map((caution) => `> ${text(caution)}`),
    ...(changes.length === 0
      ? []
      : [
          `| | version | check | ${head.join(' | ')} |`,
          `|---|---|---|${head.map(() => '---|').join('')}`,
          ...withinLimit(changes.map(markdownRow)),
        ]),
    '',
    ...unselectedLines(unselected).map((line) => `${line}.\n`),
    `${changes.length} changed, ${unchanged} unchanged.`,
    '',
  ].join('\n')
}

function markdownRow({ kind, part, id, outcomes }: OutcomeChange): string {
  return `| ${kind} | ${part} | ${code(id)} | ${outcomes.map((outcome) => outcome ?? 'absent').join(' | ')} |`
}

/** The size of the rows in a comment, below the limit of 65,536 characters of common services. Characters. */
const rowsAtMost = 50_000

/** The first rows, as many as fit. */
function withinLimit(rows: readonly string[]): string[] {
  let size = 0
  const shown = rows.filter((row) => {
    size += row.length + 1
    return size <= rowsAtMost
  })
  const left = rows.length - shown.length
  return left === 0 ? shown : [...shown, '', `… and ${left} more changes: "compare" without --format prints them all.`]
}

/** A page in the look of `report.html`. */
export function comparisonHtml({ runs, changes, unchanged, cautions }: Comparison): string {
  const heading = headline(changes)
  const compared = runs.map((run) => [run.name, run.target, verdictOf(run)])
  const changed = changes.map(({ kind, part, id, title, outcomes, detail }) => [
    ...[kind, part, `${id}: ${title}`],
    ...outcomes.map((outcome) => outcome ?? 'absent'),
    detail,
  ])
  const head = ['change', 'version', 'check', ...runs.map(({ name }) => name), 'why']
  const tables = [
    { title: 'Runs', head: ['run', 'target', 'verdict'], rows: compared },
    { title: `${changes.length} changed, ${unchanged} unchanged`, head, rows: changed },
  ]
  const warnings = cautions.map((caution) => ({ title: 'Caution', head: ['caution'], rows: [[caution]] }))
  return renderPage(heading, { heading, statements: {}, readings: {}, tables: [...warnings, ...tables] })
}

function headline(changes: readonly OutcomeChange[]): string {
  const count = (kind: OutcomeChange['kind']) => changes.filter((change) => change.kind === kind).length
  const [regressions, lost, fixes] = [count('regression'), count('lost'), count('fix')]
  const parts = [
    counted(regressions, 'regression'),
    ...(lost > 0 ? [`${lost} lost`] : []),
    `${fixes} ${fixes === 1 ? 'fix' : 'fixes'}`,
  ]
  return regressions + lost + fixes === 0 ? 'No regressions' : parts.join(', ')
}
