import type { Command } from '@commander-js/extra-typings'
import { type Comparison, compareRuns } from '../report/comparison/compare.ts'
import {
  comparisonMarkdown,
  comparisonText,
  headline,
} from '../report/comparison/comparison-formats.ts'
import { readRun } from '../report/files/read.ts'
import { UsageError } from '../text/errors.ts'
import { wrapped } from '../text/table.ts'
import {
  type CommandContext,
  example,
  type OptionsOf,
  oneOf,
  renderJson,
  shared,
} from './common/command.ts'
import { writeOptionFile } from './common/option-file.ts'

const renderers = { text: comparisonText, json: renderJson, markdown: comparisonMarkdown }

/** `compare`: the differences between runs. */
export function define(command: Command, { end }: CommandContext) {
  return command
    .argument('<runs...>', 'their directories, the oldest first')
    .option(
      '--format <format>',
      'text, json or markdown',
      oneOf(Object.keys(renderers) as (keyof typeof renderers)[]),
    )
    .addOption(shared.json())
    .option('--out <file>', 'write the comparison to the file instead of printing it')
    .addHelpText('after', example('compare yesterday/reports reports --format markdown'))
    .action((runs, options) => void end(compareCommand(runs, options)))
}

/** Compares runs, the oldest first. Throws {@link UsageError}. */
export function compareCommand(
  places: readonly string[],
  { format = 'text', json, out }: OptionsOf<typeof define>,
) {
  if (places.length < 2)
    throw new UsageError('compare accepts two or more runs: their directories or their run.json')
  const comparison = compareRuns(places.map((place) => ({ name: place, records: readRun(place) })))
  const chosen = json ? 'json' : format
  const text = renderers[chosen](comparison)
  const code = codeOf(comparison)
  const reason = code === 0 ? '' : `exit code ${code}: ${headline(comparison.changes)}\n`
  if (out === undefined) return { text: chosen === 'text' ? wrapped(text + reason) : text, code }
  writeOptionFile('--out', out, text)
  return { text: `${out}\n${reason}`, code }
}

/** 1 for a regression, a newly judged failure or a lost check; 3 for a lost check of an inconclusive run. */
function codeOf({ changes, inconclusive }: Comparison): number {
  const kinds = new Set(changes.map(({ kind }) => kind))
  if (kinds.has('regression') || kinds.has('exposed')) return 1
  if (!kinds.has('lost')) return 0
  return inconclusive ? 3 : 1
}
