import type { Command } from '@commander-js/extra-typings'
import { example, judging, shared } from './options.ts'
import type { Surroundings } from './surroundings.ts'

/** `doctor`: whether a target is ready to be judged. */
export function defineDoctor(program: Command, { suites, print, end }: Surroundings): void {
  judging(
    program
      .command('doctor')
      .description('check the target, tokens and needs; show what each gap leaves untested and how to close it'),
  )
    .addOption(shared.json())
    .addHelpText('after', example('service-conformance doctor --config conformance.config.yaml'))
    .action(async (options) => {
      const { doctorCommand } = await import('./actions/doctor.ts')
      const { text, code } = await doctorCommand(options, await suites(options))
      print(text)
      end(code)
    })
}
