import type { Command } from 'commander'
import { formatNames } from '../report/format-names.ts'
import type { ListOptions } from './list.ts'
import { listNames } from './list-names.ts'
import { oneOf, repeated, shared } from './options.ts'
import type { ReportOptions } from './report.ts'

/** The commands that look at the suite or at existing reports. */
export function defineLooking(program: Command, _conclude: (code: number) => void): void {
  const print = (text: string) => void process.stdout.write(text)

  const list = program
    .command('list')
    .description('show checks, requirements, needs, faults or variants without sending a request')
  for (const name of listNames) {
    list
      .command(name)
      .description(`show ${name}`)
      .addOption(shared.area())
      .addOption(shared.only())
      .addOption(shared.json())
      .addHelpText('after', `\nExample:\n  service-conformance list ${name} --area events --json`)
      .action(async (options: ListOptions) => print((await import('./list.ts')).listCommand(name, options)))
  }

  program
    .command('report')
    .description('write an existing run in other formats')
    .argument('[directory]', 'where run.json stands', 'reports')
    .addOption(repeated('--format <format>', `${formatNames.join(', ')} (repeatable; default: all)`, oneOf(formatNames)))
    .option('--out <dir>', 'where the files are written (default: beside the records)')
    .addHelpText('after', '\nExample:\n  service-conformance report reports --format html --format sarif')
    .action(async (directory: string, options: ReportOptions) =>
      print((await import('./report.ts')).reportCommand(directory, options)),
    )
}
