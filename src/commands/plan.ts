import type { Command } from '@commander-js/extra-typings'
import { example, judging, shared } from './options.ts'
import type { Surroundings } from './surroundings.ts'

/** `plan`: what a run would send. */
export function definePlan(program: Command, { suites, print }: Surroundings): void {
  judging(program.command('plan').description('show what a run would send: requests by endpoint, and every write'))
    .option('--read-only', 'plan a run that sends only GET requests')
    .addOption(shared.json())
    .addHelpText('after', example('service-conformance plan --area notifications'))
    .action(async (options) => {
      const { planCommand } = await import('./actions/plan.ts')
      print(await planCommand(options, await suites(options)))
    })
}
