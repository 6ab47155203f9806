import { type Command, InvalidArgumentError } from '@commander-js/extra-typings'
import { type Role, roles } from '../spec/needs.ts'
import { example, oneOf, repeated } from './options.ts'
import type { Surroundings } from './surroundings.ts'

/** `init`: a starter configuration. */
export function defineInit(program: Command, { suites, print }: Surroundings): void {
  program
    .command('init')
    .description('write a starter configuration by asking the target')
    .option('--base-url <url>', 'the target (a terminal asks for it when absent)')
    .option('--provider <url>', 'the provider of test data, a module or URL')
    .addOption(repeated('--login <role=login>', 'the login that a role belongs to (repeatable)', loginOf))
    .option('--config <file>', 'the file to write (default: conformance.config.yaml)')
    .option('--force', 'replace a file that exists (default: add the tokens that it lacks)')
    .addHelpText('after', example('OWNER_TOKEN=… service-conformance init --base-url http://localhost:3000 --login owner=mona'))
    .action(async (options) => {
      const { initCommand } = await import('./actions/init.ts')
      print(await initCommand(options, await suites()))
    })
}

function loginOf(text: string): { role: Role; login: string } {
  const [role = '', login = ''] = text.split('=')
  if (login === '') throw new InvalidArgumentError('role=login is accepted, such as owner=mona')
  return { role: oneOf(roles)(role), login }
}
