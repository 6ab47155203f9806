import { runVerdictText } from '../../record/coverage.ts'
import { groupBy } from '../../text/data.ts'
import { counted, grouped, printable } from '../../text/format.ts'
import { code, fitting, text } from '../view/markup.ts'
import { type Comparison, changeKinds, type OutcomeChange } from './compare.ts'

/** The changes for the terminal, the regressions first. */
export function comparisonText({ runs, changes, unchanged, unselected, cautions }: Comparison): string {
  const groups = [...groupBy(changes, ({ kind }) => kind)].map(([kind, same]) => ({ kind, same, count: grouped(same.length) }))
  return [
    ...runs.map((run, index) => `${index + 1}. ${printable(run.name)}  ${printable(run.target)}  ${verdictOf(run)}`),
    ...cautions.map((caution) => `caution: ${printable(caution)}`),
    ...groups.flatMap(({ kind, same, count }) => ['', `${kind} (${count}): ${changeKinds[kind]}`, ...same.flatMap(changeLines)]),
    '',
    ...unselectedLines(unselected),
    `${grouped(changes.length)} changed, ${grouped(unchanged)} unchanged`,
    '',
  ].join('\n')
}

function verdictOf({ verdict, coverage, selection }: Comparison['runs'][number]): string {
  return runVerdictText(verdict, coverage, selection)
}

function unselectedLines(unselected: number): string[] {
  return unselected === 0 ? [] : [`${counted(unselected, 'check')} that passed before: not selected in the last run`]
}

function outcomesOf({ outcomes }: OutcomeChange): string[] {
  return outcomes.map((outcome) => outcome ?? 'absent')
}

function changeLines(change: OutcomeChange): string[] {
  const { kind, part, id, title, detail } = change
  const line = `  ${part}  ${id}  ${outcomesOf(change).join(' → ')}  ${printable(title)}`
  return (kind === 'regression' || kind === 'exposed') && detail !== '' ? [line, `    ${printable(detail)}`] : [line]
}

/** The changes for a comment in a code review. */
export function comparisonMarkdown({ runs, changes, unchanged, unselected, cautions }: Comparison): string {
  return [
    `# ${headline(changes)}`,
    '',
    ...runs.map((run, index) => `${index + 1}. ${code(run.name)}: ${verdictOf(run)}`),
    '',
    ...cautions.map((caution) => `> ${text(caution)}`),
    ...(changes.length === 0 ? [] : changeTable(runs, changes)),
    '',
    ...unselectedLines(unselected).map((line) => `${line}.\n`),
    `${grouped(changes.length)} changed, ${grouped(unchanged)} unchanged.`,
    '',
  ].join('\n')
}

/** The size of the rows in a comment, below the limit of 65,536 characters of common services. Characters. */
const rowsAtMost = 50_000

function changeTable(runs: Comparison['runs'], changes: readonly OutcomeChange[]): string[] {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const rows = changes.map((change) => row([change.kind, change.part, code(change.id), ...outcomesOf(change)]))
  const shown = fitting(rows, rowsAtMost)
  const left = rows.length - shown.length
  return [
    `| ${row(['version', 'check', ...runs.map(({ name }) => code(name))])}`,
    `|${'---|'.repeat(runs.length + 3)}`,
    ...shown,
    ...(left === 0 ? [] : ['', `… and ${left} more changes: "compare" without --format prints them all.`]),
  ]
}

function headline(changes: readonly OutcomeChange[]): string {
  const count = (kind: OutcomeChange['kind']) => changes.filter((change) => change.kind === kind).length
  const [regressions, lost, fixes, exposed] = [count('regression'), count('lost'), count('fix'), count('exposed')]
  if (regressions + lost + fixes + exposed === 0) return 'No regressions'
  const others = [exposed > 0 ? `${exposed} not judged before and failed` : '', lost > 0 ? `${lost} lost` : '']
  const parts = [counted(regressions, 'regression'), ...others, `${fixes} ${fixes === 1 ? 'fix' : 'fixes'}`]
  return parts.filter((part) => part !== '').join(', ')
}
