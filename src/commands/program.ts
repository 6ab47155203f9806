import { Command, CommanderError } from 'commander'
import { suiteIdentity } from '../package/identity.ts'
import { guess } from '../text/guess.ts'
import { UsageError } from '../text/usage-error.ts'
import { defineJudging } from './define-judging.ts'
import { defineLooking } from './define-looking.ts'
import { definePreparing } from './define-preparing.ts'

/** Runs the command line and resolves to its exit code, as `docs/commands.md` lists them. Unknown errors are not dressed up: they reject. */
export async function main(words: readonly string[]): Promise<number> {
  let code = 0
  const program = createProgram((result) => {
    code = result
  })
  try {
    checkCommandWord(words[0], program)
    await program.parseAsync(words, { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`service-conformance: ${error.message}\n`)
    return 2
  }
}

/** Throws {@link UsageError} for a first word that names no command: the default command would take it for an argument. */
function checkCommandWord(word: string | undefined, program: Command): void {
  const known = [...program.commands.map((command) => command.name()), 'help']
  if (word === undefined || word.startsWith('-') || known.includes(word)) return
  throw new UsageError(`there is no command "${word}"${guess(word, known)}; accepted: ${known.join(', ')}`)
}

/** Every command; `conclude` receives the exit code. */
export function createProgram(conclude: (code: number) => void): Command {
  const program = new Command(suiteIdentity.name)
    .description('Judges an implementation of the code-hosting REST API, per API version.')
    .version(suiteIdentity.version)
    .showHelpAfterError('(--help shows the options)')
    .configureHelp({ helpWidth: 110 })
    .exitOverride()
  defineJudging(program, conclude)
  definePreparing(program, conclude)
  defineLooking(program, conclude)
  return program
}
