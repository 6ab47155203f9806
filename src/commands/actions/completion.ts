import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { suiteIdentity } from '../../package/root.ts'

export type Shell = 'bash' | 'zsh' | 'fish'

/** A completion script for commands and options, made from the program itself. */
export function completionScript(shell: Shell, program: CommandUnknownOpts): string {
  return { bash, zsh, fish }[shell](program)
}

function optionsOf(command: CommandUnknownOpts): string[] {
  return command.options.flatMap(({ long }) => long ?? [])
}

function wordsOf(command: CommandUnknownOpts): string {
  return [...command.commands.map((child) => child.name()), ...optionsOf(command), '--help'].join(' ')
}

function bash(program: CommandUnknownOpts): string {
  const { name } = suiteIdentity
  const cases = program.commands.map((command) => `    ${command.name()}) words="${wordsOf(command)}" ;;`)
  return `_service_conformance() {
  local words
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    *) words="${wordsOf(program)}" ;;
  esac
  [ "$COMP_CWORD" -eq 1 ] && words="${wordsOf(program)}"
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _service_conformance ${name}
`
}

function zsh(program: CommandUnknownOpts): string {
  return `autoload -U +X bashcompinit && bashcompinit\n${bash(program)}`
}

function fish(program: CommandUnknownOpts): string {
  const { name } = suiteIdentity
  const quoted = (text: string) => `'${text.replaceAll("'", '’')}'`
  return [
    ...program.commands.map(
      (command) => `complete -c ${name} -n __fish_use_subcommand -a ${command.name()} -d ${quoted(command.description())}`,
    ),
    ...program.commands.flatMap((command) =>
      command.options.flatMap(({ long, description }) =>
        long
          ? [
              `complete -c ${name} -n '__fish_seen_subcommand_from ${command.name()}' -l ${long.slice(2)} -d ${quoted(description)}`,
            ]
          : [],
      ),
    ),
    '',
  ].join('\n')
}
