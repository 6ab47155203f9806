import type { Command } from '@commander-js/extra-typings'
import { formatNames } from '../report/formats/format-names.ts'
import { example, oneOf, repeated } from './options.ts'
import type { Surroundings } from './surroundings.ts'

/** `report`: an existing run in other formats. */
export function defineReport(program: Command, { print }: Surroundings): void {
  program
    .command('report')
    .description('write an existing run in other formats')
    .argument('[directory]', 'the directory that contains run.json', 'reports')
    .addOption(repeated('--format <format>', `${formatNames.join(', ')} (repeatable; default: all)`, oneOf(formatNames)))
    .option('--out <dir>', 'where the files are written (default: beside the records)')
    .addHelpText('after', example('service-conformance report reports --format html --format sarif'))
    .action(async (directory, options) => {
      const { reportCommand } = await import('./actions/report.ts')
      print(reportCommand(directory, options))
    })
}
