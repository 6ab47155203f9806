import { type Command, InvalidArgumentError } from 'commander'
import { type Role, roles } from '../spec/needs.ts'
import type { DoctorOptions } from './doctor.ts'
import type { InitOptions } from './init.ts'
import { calendarDate, oneOf, repeated, shared } from './options.ts'
import type { PlanOptions } from './plan.ts'
import type { WaiveOptions } from './waive.ts'

/** The commands by which a run is prepared. */
export function definePreparing(program: Command, conclude: (code: number) => void): void {
  const print = (text: string) => void process.stdout.write(text)

  program
    .command('init')
    .description('write a starter configuration by asking the target')
    .option('--base-url <url>', 'the target (asked for on a terminal)')
    .option('--provider <url>', 'what makes test data on demand')
    .addOption(repeated('--login <role=login>', 'whose the token of a role is (repeatable)', loginOf))
    .option('--config <file>', 'the file to write (default: conformance.config.yaml)')
    .option('--force', 'overwrite the file')
    .addHelpText(
      'after',
      '\nExample:\n  OWNER_TOKEN=… service-conformance init --base-url http://localhost:3000 --login owner=mona',
    )
    .action(async (options: InitOptions) => print(await (await import('./init.ts')).initCommand(options)))

  program
    .command('doctor')
    .description('are target, tokens and needs in order; what each gap leaves untested and how to close it')
    .addOption(shared.config())
    .addOption(shared.baseUrl())
    .addOption(shared.version())
    .addOption(shared.area())
    .addOption(shared.only())
    .addOption(shared.json())
    .addHelpText('after', '\nExample:\n  service-conformance doctor --config conformance.config.yaml')
    .action(async (options: DoctorOptions) => {
      const { text, code } = await (await import('./doctor.ts')).doctorCommand(options)
      print(text)
      conclude(code)
    })

  program
    .command('plan')
    .description('what a run would send: requests by endpoint, every write before it happens')
    .addOption(shared.config())
    .addOption(shared.version())
    .addOption(shared.area())
    .addOption(shared.only())
    .option('--read-only', 'as a run that sends nothing but GET')
    .addOption(shared.json())
    .addHelpText('after', '\nExample:\n  service-conformance plan --area notifications')
    .action(async (options: PlanOptions) => print(await (await import('./plan.ts')).planCommand(options)))

  program
    .command('waive')
    .description('add a waiver for a failing check to the configuration')
    .argument('<check>', 'its id')
    .requiredOption('--reason <text>', 'why the deviation is accepted')
    .requiredOption('--owner <name>', 'who answers for it')
    .requiredOption('--link <address>', 'where it is followed up')
    .requiredOption('--expires <date>', 'its last day', calendarDate)
    .addOption(shared.version())
    .option('--config <file>', 'the configuration (default: conformance.config.yaml)')
    .addHelpText(
      'after',
      '\nExample:\n  service-conformance waive events.public.per-page-default --reason "fixed in 4.2" --owner mona --link https://tracker.example/7 --expires 2027-01-31',
    )
    .action(async (check: string, options: WaiveOptions) => print((await import('./waive.ts')).waiveCommand(check, options)))
}

function loginOf(text: string): { role: Role; login: string } {
  const [role = '', login = ''] = text.split('=')
  if (login === '') throw new InvalidArgumentError('role=login is accepted, such as owner=mona')
  return { role: oneOf(roles)(role), login }
}
