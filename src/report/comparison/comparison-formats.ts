import { runVerdictText } from '../../record/verdict.ts'
import { groupBy } from '../../text/data.ts'
import { counted, grouped, printable } from '../../text/format.ts'
import { code, fitting, text } from '../view/markup.ts'
import { type Comparison, changeKinds, type OutcomeChange } from './compare.ts'

/** The changes for the terminal, the regressions first. */
export function comparisonText({
  runs,
  changes: all,
  unchanged,
  unselected,
  cautions,
}: Comparison) {
  const changes = listedIn(runs, all)
  const groups = [...groupBy(changes, ({ kind }) => kind)]
  return [
    ...runs.map(
      (run, index) =>
        `${index + 1}. ${printable(run.name)}  ${printable(run.target)}  ${verdictOf(run)}`,
    ),
    ...cautions.map((caution) => `caution: ${printable(caution)}`),
    ...groups.flatMap(([kind, same]) => [
      '',
      `${kind} (${grouped(same.length)}): ${changeKinds[kind]}`,
      ...same.flatMap(changeLines),
    ]),
    '',
    ...unselectedLines(unselected, all.length - changes.length),
    `${grouped(changes.length)} changed, ${grouped(unchanged)} unchanged`,
    '',
  ].join('\n')
}

const verdictOf = (run: Comparison['runs'][number]) =>
  runVerdictText(run.verdict, run.coverage, run)

/** The changes to list: a new check is none where the first run judged a selection. */
function listedIn([first]: Comparison['runs'], changes: Comparison['changes']) {
  return first?.selection ? changes.filter(({ kind }) => kind !== 'new') : changes
}

/** Lines with the number of checks that the last run, or the first one, had not selected. */
function unselectedLines(unselected: number, added: number) {
  const left = `not compared: ${counted(unselected, 'check')} that passed before, which the last run did not select`
  const more = `not compared: ${counted(added, 'check')} that the first run did not select`
  return [...(unselected > 0 ? [left] : []), ...(added > 0 ? [more] : [])]
}

const outcomesOf = ({ outcomes }: OutcomeChange) => outcomes.map((outcome) => outcome ?? 'absent')

/** The kinds of changes whose detail is printed, each with the words before it. */
const explained: { readonly [kind: string]: string } = {
  regression: '',
  exposed: '',
  open: 'because ',
}

function changeLines(change: OutcomeChange) {
  const { kind, lane, id, title, detail } = change
  const line = `  ${lane}  ${id}  ${outcomesOf(change).join(' → ')}  ${printable(title)}`
  const because = explained[kind]
  return because === undefined || detail === ''
    ? [line]
    : [line, `    ${because}${printable(detail)}`]
}

/** The changes for a comment in a code review. */
export function comparisonMarkdown({
  runs,
  changes: all,
  unchanged,
  unselected,
  cautions,
}: Comparison) {
  const changes = listedIn(runs, all)
  return [
    `# ${headline(changes)}`,
    '',
    ...runs.map((run, index) => `${index + 1}. ${code(run.name)}: ${verdictOf(run)}`),
    '',
    ...cautions.map((caution) => `> ${text(caution)}`),
    ...(changes.length === 0 ? [] : changeTable(runs, changes)),
    '',
    ...unselectedLines(unselected, all.length - changes.length).map((line) => `${line}.\n`),
    `${grouped(changes.length)} changed, ${grouped(unchanged)} unchanged.`,
    '',
  ].join('\n')
}

/** The most characters of the rows: common services limit a comment to 65,536. */
const rowsAtMost = 50_000

function changeTable(runs: Comparison['runs'], changes: readonly OutcomeChange[]) {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const rows = changes.map((change) =>
    row([change.kind, change.lane, code(change.id), ...outcomesOf(change)]),
  )
  const more = (left: number) => [
    '',
    `… and ${left} more changes: "compare" without --format prints them all.`,
  ]
  return [
    `| ${row(['version', 'check', ...runs.map(({ name }) => code(name))])}`,
    `|${'---|'.repeat(runs.length + 3)}`,
    ...fitting(rows, rowsAtMost, more),
  ]
}

/** The numbers of the changes for the worse and of the fixes: `1 worse than before; 3 better than before`. */
export function headline(changes: readonly OutcomeChange[]) {
  const byKind = groupBy(changes, ({ kind }) => kind)
  const counts = (['regression', 'exposed', 'lost', 'fix'] as const).map(
    (kind) => [kind, byKind.get(kind)?.length ?? 0] as const,
  )
  const parts = counts.flatMap(([kind, count]) =>
    count > 0 ? `${grouped(count)} ${changeKinds[kind]}` : [],
  )
  return parts.join('; ') || 'No regressions'
}
