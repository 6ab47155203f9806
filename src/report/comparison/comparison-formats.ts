import { raw } from 'hono/html'
import { grouped, verdictText } from '../../record/coverage.ts'
import { groupBy } from '../../text/data.ts'
import { counted, printable } from '../../text/format.ts'
import { badge, html, text as plain, table } from '../html/markup.ts'
import { style } from '../html/style.ts'
import { code, text } from '../view/markdown-text.ts'
import type { Comparison, OutcomeChange } from './compare.ts'

/** For the terminal: what changed, the regressions first. */
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

/** A verdict is never shown without its coverage. */
function verdictOf({ verdict, coverage }: Pick<Comparison['runs'][number], 'verdict' | 'coverage'>): string {
  return verdictText(verdict, coverage)
}

/** What each kind of change is, for readers of the heads alone. */
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

function changeLines({ kind, lane, id, title, outcomes, detail }: OutcomeChange): string[] {
  const moved = outcomes.map((outcome) => outcome ?? 'absent').join(' → ')
  const line = `  ${lane}  ${id}  ${moved}  ${printable(title)}`
  return kind === 'regression' && detail !== '' ? [line, `    ${printable(detail)}`] : [line]
}

/** For a comment on a change. */
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

function markdownRow({ kind, lane, id, outcomes }: OutcomeChange): string {
  return `| ${kind} | ${lane} | ${code(id)} | ${outcomes.map((outcome) => outcome ?? 'absent').join(' | ')} |`
}

/** The most that the rows of a comment may take, below the limit of services that show them. Characters. */
const rowsAtMost = 50_000

/** The first rows, as many as fit; the changes that matter most stand first. */
function withinLimit(rows: readonly string[]): string[] {
  let size = 0
  const shown = rows.filter((row) => {
    size += row.length + 1
    return size <= rowsAtMost
  })
  const left = rows.length - shown.length
  return left === 0 ? shown : [...shown, '', `… and ${left} more changes: "compare" without --format prints them all.`]
}

/** A page of its own, in the look of `report.html`. */
export function comparisonHtml({ runs, changes, unchanged, cautions }: Comparison): string {
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<title>${headline(changes)}</title><style>${raw(style)}</style></head><body><main><h1>${headline(changes)}</h1>
${cautions.map((caution) => html`<p class="banner">${plain(caution)}</p>`)}
${table(
  'Runs',
  ['run', 'target', 'verdict'],
  runs.map((run) => [plain(run.name), plain(run.target), verdictOf(run)]),
)}
${table(
  `${changes.length} changed, ${unchanged} unchanged`,
  ['change', 'version', 'check', ...runs.map(({ name }) => plain(name)), 'why'],
  changes.map(({ kind, lane, id, title, outcomes, detail }) => [
    kind,
    lane,
    html`<code>${id}</code> ${plain(title)}`,
    ...outcomes.map((outcome) => (outcome ? badge(outcome) : 'absent')),
    plain(detail),
  ]),
)}</main></body></html>
`
  return page.toString()
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
