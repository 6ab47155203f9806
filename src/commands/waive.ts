import type { Command } from '@commander-js/extra-typings'
import { comingDate, example, required, shared, webAddress } from './options.ts'
import type { Surroundings } from './surroundings.ts'

/** `waive`: a waiver, added to the configuration. */
export function defineWaive(program: Command, { suites, print }: Surroundings): void {
  program
    .command('waive')
    .description('add a waiver for a failing check to the configuration')
    .argument('<check>', 'the id of the check')
    .option('--reason <text>', 'why the deviation is accepted (required)')
    .option('--owner <name>', 'who is responsible for it (required)')
    .option('--link <address>', 'where it is tracked (required)', webAddress)
    .option('--expires <date>', 'the last day of the waiver (required)', comingDate)
    .addOption(shared.version())
    .option('--config <file>', 'the configuration (default: conformance.config.yaml)')
    .addHelpText(
      'after',
      example(
        'service-conformance waive events.public.per-page-default --reason "fixed in 4.2" --owner mona --link https://tracker.example/7 --expires 2027-01-31',
      ),
    )
    .action(async (check, options) => {
      const { waiveCommand } = await import('./actions/waive.ts')
      print(
        waiveCommand(check, { ...options, ...required(options, ['reason', 'owner', 'link', 'expires']) }, await suites(options)),
      )
    })
}
