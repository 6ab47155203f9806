import type { Command } from '@commander-js/extra-typings'
import { example, shared } from './options.ts'
import type { Surroundings } from './surroundings.ts'

/** `provider`: tries the provider of test data on its own. */
export function defineProvider(program: Command, { suites, print, end }: Surroundings): void {
  program
    .command('provider')
    .description('try the provider of test data without judging anything')
    .addHelpText('after', example('service-conformance provider check unread-thread'))
    .command('check')
    .description('ask the provider for one need, or for all, validate the answers and print them')
    .argument('[need]', 'the name of a need; without one, all that only give something')
    .addOption(shared.config())
    .addOption(shared.json())
    .addHelpText('after', example('service-conformance provider check unread-thread'))
    .action(async (need, options) => {
      const { providerCheckCommand } = await import('./actions/provider.ts')
      const { text, code } = await providerCheckCommand(need, options, await suites())
      print(text)
      end(code)
    })
}
