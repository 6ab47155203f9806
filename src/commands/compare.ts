import type { Command } from '@commander-js/extra-typings'
import { example, oneOf, shared } from './options.ts'
import type { Surroundings } from './surroundings.ts'

/** How a comparison is written. */
const comparisonFormats = ['text', 'json', 'markdown', 'html'] as const

/** `compare`: what changed between runs. */
export function defineCompare(program: Command, { print, end }: Surroundings): void {
  program
    .command('compare')
    .description('compare runs: regressions, fixes, new and lost checks; exit 1 on a regression or a loss')
    .argument('<runs...>', 'their directories, the oldest first')
    .option('--format <format>', 'text, json, markdown or html', oneOf(comparisonFormats))
    .addOption(shared.json())
    .option('--out <file>', 'write the comparison there instead of printing it')
    .addHelpText('after', example('service-conformance compare yesterday/reports reports --format markdown'))
    .action(async (runs, options) => {
      const { compareCommand } = await import('./actions/compare.ts')
      const { text, code } = compareCommand(runs, options)
      print(text)
      end(code)
    })
}
