import type { Command } from '@commander-js/extra-typings'
import { defaults } from '../config/config.ts'
import { exitCode } from '../record/verdict.ts'
import { readRun } from '../report/files/read.ts'
import { writeReports } from '../report/files/write.ts'
import { renderConclusion } from '../report/terminal/summary.ts'
import { mergeRuns } from '../run/records/merge.ts'
import type { Catalogue } from '../suite/catalogue.ts'
import { wrapped } from '../text/table.ts'
import { type CommandContext, example, type OptionsOf, shared } from './common/command.ts'

/** `merge`: the reports of shards as one. */
export function define(command: Command, { catalogue, end, colours }: CommandContext) {
  return command
    .argument('<runs...>', 'the directories of the shards')
    .requiredOption('--out <dir>', 'the directory of the joined reports (required)')
    .addOption(shared.format())
    .addHelpText('after', example('merge shard-1 shard-2 --out reports'))
    .action(
      async (runs, options) => void end(mergeCommand(runs, options, await catalogue(), colours)),
    )
}

/** Joins the reports of shards into one. Throws `UsageError`. */
export function mergeCommand(
  places: readonly string[],
  { out, format }: OptionsOf<typeof define>,
  catalogue: Catalogue,
  colours = false,
) {
  const records = mergeRuns(places.map(readRun), structuredClone(defaults), catalogue)
  const formats = format ?? defaults.report.formats
  writeReports(out, records, formats)
  const lines = renderConclusion(records.run, records.reports, out, { colours, formats })
  return { text: wrapped(lines), code: exitCode(records.run) }
}
