import type { Command } from '@commander-js/extra-typings'
import { example, oneOf } from './options.ts'
import type { Surroundings } from './surroundings.ts'

/** The shells that completion scripts exist for. */
const shells = ['bash', 'zsh', 'fish'] as const

/** `completion`: a script made from the program itself. */
export function defineCompletion(program: Command, { print }: Surroundings): void {
  program
    .command('completion')
    .description('print a completion script for a shell')
    .argument('<shell>', 'bash, zsh or fish', oneOf(shells))
    .addHelpText('after', example('source <(service-conformance completion bash)'))
    .action(async (shell) => {
      const { completionScript } = await import('./actions/completion.ts')
      print(completionScript(shell, program))
    })
}
