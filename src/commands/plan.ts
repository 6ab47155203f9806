import type { Command } from '@commander-js/extra-typings'
import { example, shared } from './options.ts'
import type { Surroundings } from './surroundings.ts'

/** `plan`: what a run would send. */
export function definePlan(program: Command, { suites, print }: Surroundings): void {
  program
    .command('plan')
    .description('show what a run would send: requests by endpoint, and every write')
    .addOption(shared.config())
    .addOption(shared.baseUrl())
    .addOption(shared.reference())
    .addOption(shared.version())
    .addOption(shared.area())
    .addOption(shared.only())
    .addOption(shared.requirements())
    .option('--read-only', 'plan a run that sends only GET requests')
    .addOption(shared.json())
    .addHelpText('after', example('service-conformance plan --area notifications'))
    .action(async (options) => {
      const { planCommand } = await import('./actions/plan.ts')
      print(await planCommand(options, await suites(options)))
    })
}
