import type { Command } from '@commander-js/extra-typings'
import { formatNames } from '../report/formats/format-names.ts'
import { example, oneOf, repeated } from './options.ts'
import type { Surroundings } from './surroundings.ts'

/** `merge`: the reports of shards as one. */
export function defineMerge(program: Command, { suites, print, end }: Surroundings): void {
  program
    .command('merge')
    .description('join the reports of shards')
    .argument('<runs...>', 'the directories of the shards')
    .requiredOption('--out <dir>', 'where the joined reports are written (required)')
    .addOption(repeated('--format <format>', `${formatNames.join(', ')} (repeatable)`, oneOf(formatNames)))
    .addHelpText('after', example('service-conformance merge shard-1 shard-2 --out reports'))
    .action(async (runs, options) => {
      const { mergeCommand } = await import('./actions/merge.ts')
      const { text, code } = mergeCommand(runs, options, await suites())
      print(text)
      end(code)
    })
}
