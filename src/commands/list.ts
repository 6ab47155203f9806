import type { Command } from '@commander-js/extra-typings'
import { example, shared } from './options.ts'
import type { Surroundings } from './surroundings.ts'

/** What `list` shows. */
const listNames = ['checks', 'requirements', 'needs', 'faults', 'variants'] as const

/** `list`: what the suite consists of. */
export function defineList(program: Command, { suites, print }: Surroundings): void {
  const list = program
    .command('list')
    .description('show checks, requirements, needs, faults or variants without sending a request')
    .addHelpText('after', example('service-conformance list needs --json'))
  for (const name of listNames) {
    list
      .command(name)
      .description(`show ${name}`)
      .addOption(shared.area())
      .addOption(shared.only())
      .addOption(shared.config())
      .addOption(shared.requirements())
      .addOption(shared.json())
      .addHelpText('after', example(`service-conformance list ${name} --area events --json`))
      .action(async (options) => {
        const { listCommand } = await import('./actions/list.ts')
        print(await listCommand(name, options, await suites(options)))
      })
  }
}
