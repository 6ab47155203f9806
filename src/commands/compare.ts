import type { Command } from '@commander-js/extra-typings'
import { type Comparison, compareRuns, type NamedRun } from '../report/comparison/compare.ts'
import {
  comparisonMarkdown,
  comparisonText,
  headline,
} from '../report/comparison/comparison-formats.ts'
import { matrixOf } from '../report/comparison/matrix.ts'
import { matrixJson, matrixMarkdown } from '../report/comparison/matrix-formats.ts'
import { readRun } from '../report/files/read.ts'
import { renderMatrix } from '../report/matrix/page.ts'
import { documentRequirements } from '../spec/requirements.ts'
import { UsageError } from '../text/errors.ts'
import { counted } from '../text/format.ts'
import { wrapped } from '../text/table.ts'
import {
  type CommandContext,
  example,
  type OptionsOf,
  oneOf,
  renderJson,
  repeatable,
  shared,
} from './common/command.ts'
import { writeOptionFile } from './common/option-file.ts'

/** `compare`: the differences between runs of one server, or several implementations side by side. */
export function define(command: Command, { end }: CommandContext) {
  return command
    .argument('<runs...>', 'their directories, the oldest first')
    .option(
      '--format <format>',
      'text, json, markdown, or html: a page with a column for each run',
      oneOf(['text', 'json', 'markdown', 'html']),
    )
    .addOption(shared.json())
    .addOption(
      repeatable(
        '--name <name>',
        'the name of an implementation, in the order of the runs (repeatable; default: target.name)',
        (text) => text,
      ),
    )
    .option('--out <file>', 'write the comparison to the file instead of printing it')
    .addHelpText('after', example('compare yesterday/reports reports --format markdown'))
    .addHelpText('after', example('compare forge hub depot --format html --out matrix.html'))
    .action((runs, options) => void end(compareCommand(runs, options)))
}

/** Compares runs, the oldest first. Throws {@link UsageError}. */
export function compareCommand(
  places: readonly string[],
  { format = 'text', json, name = [], out }: OptionsOf<typeof define>,
) {
  if (places.length < 2)
    throw new UsageError('compare accepts two or more runs: their directories or their run.json')
  if (name.length > 0 && name.length !== places.length)
    throw new UsageError(
      `${counted(places.length, 'run')} and ${counted(name.length, 'name')}: --name is accepted once for each run`,
    )
  const chosen = json ? 'json' : format
  const runs = places.map((place) => ({ name: place, records: readRun(place) }))
  const { text, code, reason } = rendered(runs, chosen, name)
  if (out === undefined) return { text: chosen === 'text' ? wrapped(text + reason) : text, code }
  writeOptionFile('--out', out, text)
  return { text: `${out}\n${reason}`, code }
}

type Format = NonNullable<OptionsOf<typeof define>['format']>

/** The text of a comparison, with the exit code of its changes. A matrix has no changes: implementations are no order. */
function rendered(runs: readonly NamedRun[], format: Format, names: readonly string[]) {
  const stated = runs.map(({ records }, index) => names[index] ?? records.run.target.name)
  const isMatrix = format === 'html' || runs.length > 2 || new Set(stated).size > 1
  const named = runs.map((run, index) => ({ ...run, name: names[index] ?? run.name }))
  const implementations = distinct(runs, stated)
  const matrix = () => matrixOf(implementations, documentRequirements)
  if (format === 'html')
    return { text: renderMatrix(matrix(), implementations), code: 0, reason: '' }
  if (format === 'markdown' && isMatrix)
    return { text: matrixMarkdown(matrix()), code: 0, reason: '' }
  const comparison = compareRuns(named)
  const code = codeOf(comparison)
  const reason = code === 0 ? '' : `exit code ${code}: ${headline(comparison.changes)}\n`
  const more = isMatrix ? { matrix: matrixJson(matrix()) } : {}
  const texts = {
    text: () => comparisonText(comparison),
    markdown: () => comparisonMarkdown(comparison),
    json: () => renderJson({ ...comparison, ...more }),
  }
  return { text: texts[format](), code, reason }
}

/** The runs by the names of their implementations; equal names get the place of their run. */
function distinct(runs: readonly NamedRun[], stated: readonly (string | undefined)[]) {
  return runs.map((run, index) => {
    const name = stated[index] ?? run.name
    const isUnique = stated.filter((other) => other === name).length < 2
    return { ...run, name: isUnique ? name : `${name} (${run.name})` }
  })
}

/** 1 for a regression, a newly judged failure or a lost check; 3 for a lost check of an inconclusive run. */
function codeOf({ changes, inconclusive }: Comparison) {
  const kinds = new Set(changes.map(({ kind }) => kind))
  if (kinds.has('regression') || kinds.has('exposed')) return 1
  if (!kinds.has('lost')) return 0
  return inconclusive ? 3 : 1
}
