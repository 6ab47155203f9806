import type { Command, CommandUnknownOpts } from '@commander-js/extra-typings'
import { suiteIdentity } from '../package/root.ts'
import { type CommandContext, example, oneOf } from './common/command.ts'

const shells = ['bash', 'zsh', 'fish'] as const

/** `completion`: a script that completes the commands, and the options of each. */
export function define(command: Command, { print }: CommandContext): void {
  command
    .argument('<shell>', 'bash, zsh or fish', oneOf(shells))
    .addHelpText('after', example('source <(service-conformance completion bash)'))
    .action((shell) => print(script(shell, command.parent?.commands ?? [])))
}

function script(shell: (typeof shells)[number], commands: readonly CommandUnknownOpts[]): string {
  const { name } = suiteIdentity
  const names = commands.map((command) => command.name()).join(' ')
  const rows = commands.map((command) => {
    const words = [...command.commands.map((under) => under.name()), ...command.options.map(({ long }) => long), '--help']
    return { command: command.name(), words: words.join(' ') }
  })
  if (shell === 'fish') {
    const lines = rows.map(
      ({ command, words }) => `complete -c ${name} -n '__fish_seen_subcommand_from ${command}' -a '${words}'\n`,
    )
    return `complete -c ${name} -n __fish_use_subcommand -a '${names}'\n${lines.join('')}`
  }
  const cases = rows.map(({ command, words }) => `    ${command}) words="${words}" ;;\n`).join('')
  const choice = `case "\${COMP_WORDS[COMP_CWORD > 1 ? 1 : 0]}" in\n${cases}    *) words="${names} --version --help" ;;\n  esac`
  const complete = `COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))`
  const start = shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''
  return `${start}_service_conformance() {\n  local words\n  ${choice}\n  ${complete}\n}\ncomplete -o default -F _service_conformance ${name}\n`
}
