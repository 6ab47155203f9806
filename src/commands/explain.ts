import type { Command } from '@commander-js/extra-typings'
import { example, shared } from './options.ts'
import type { Surroundings } from './surroundings.ts'

/** `explain`: everything about one check. */
export function defineExplain(program: Command, { suites, print }: Surroundings): void {
  program
    .command('explain')
    .description('show one check: claim, requirement, needs, the faults that it catches, and how it passes')
    .argument('<check>', 'the id of the check')
    .addOption(shared.config())
    .addOption(shared.json())
    .addHelpText('after', example('service-conformance explain events.public.per-page-default'))
    .action(async (check, options) => {
      const { explainCommand } = await import('./actions/explain.ts')
      print(await explainCommand(check, options, await suites(options)))
    })
}
