import { Command, CommanderError } from '@commander-js/extra-typings'
import { suiteIdentity } from '../package/root.ts'
import { ProviderFailure } from '../run/needs/provider-failure.ts'
import type { Suite } from '../suite/check.ts'
import { guess, messageOf, UsageError } from '../text/errors.ts'
import { printable } from '../text/format.ts'
import { defineCompare } from './compare.ts'
import { defineCompletion } from './completion.ts'
import { defineDoctor } from './doctor.ts'
import { defineExplain } from './explain.ts'
import { defineInit } from './init.ts'
import { defineList } from './list.ts'
import { defineMerge } from './merge.ts'
import { defineOpenApi } from './openapi.ts'
import { definePlan } from './plan.ts'
import { defineProvider } from './provider.ts'
import { defineReport } from './report.ts'
import { defineRun } from './run.ts'
import { defineServe } from './serve.ts'
import type { SuiteOptions, Surroundings } from './surroundings.ts'
import { defineWaive } from './waive.ts'

/** Where the command line writes. */
export type Output = Pick<Surroundings, 'print' | 'warn'>

const terminal: Output = {
  print: (text) => void process.stdout.write(text),
  warn: (text) => void process.stderr.write(text),
}

/**
 * Runs the command line and resolves to its exit code, as `docs/outcomes.md` lists them.
 * It never rejects: an error that is no mistake of the user ends with 3, since nothing was concluded.
 */
export async function main(
  words: readonly string[],
  suites: () => Promise<readonly Suite[]>,
  output: Output = terminal,
): Promise<number> {
  let code = 0
  const end = (result: number) => {
    code = result
  }
  const chosen = async (options?: SuiteOptions) => {
    const [{ suitesFor }, builtIn] = await Promise.all([import('./actions/suites.ts'), suites()])
    return suitesFor(options, builtIn)
  }
  const program = createProgram({ suites: chosen, end, ...output })
  try {
    checkCommandWord(words[0], program)
    checkArgument(words)
    checkValues(words, program)
    await program.parseAsync(words, { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    output.warn(`service-conformance: ${messageOf(error).split('\n').map(printable).join('\n')}\n`)
    if (error instanceof UsageError || error instanceof ProviderFailure) return 2
    output.warn(`this is an error in the suite, not in the target${placeOf(error)}\n`)
    return 3
  }
}

/** Where an unexpected error was thrown: ` (at …)`. */
function placeOf(error: unknown): string {
  const frame = error instanceof Error ? error.stack?.split('\n').find((line) => line.trimStart().startsWith('at ')) : undefined
  return frame === undefined ? '' : ` (${frame.trim()})`
}

/** Throws {@link UsageError} for a first word that names no command: the default command would take it for an argument. */
function checkCommandWord(word: string | undefined, program: Command): void {
  const known = [...program.commands.map((command) => command.name()), 'help']
  if (word === undefined || word.startsWith('-') || known.includes(word)) return
  if (/^https?:/.test(word)) throw new UsageError(`there is no command "${word}" (did you mean "--base-url ${word}"?)`)
  throw new UsageError(`there is no command "${word}"${guess(word, known)}; accepted: ${known.join(', ')}`)
}

/** Throws {@link UsageError} for a check or an address that stands where a judging command takes options alone. */
function checkArgument([command = '', word = '']: readonly string[]): void {
  if (!['run', 'doctor', 'plan'].includes(command) || !/^(https?:|[a-z-]+\.[a-z])/.test(word)) return
  const option = word.startsWith('http') ? '--base-url' : '--only'
  throw new UsageError(`${command} takes options alone, not "${word}" (did you mean "${option} ${word}"?)`)
}

/** Throws {@link UsageError} for an option whose value was left out, so that the next option would be taken for it. */
function checkValues(words: readonly string[], program: Command): void {
  const options = optionsOf(program)
  const at = words.findIndex((word, index) => {
    const next = words[index + 1] ?? ''
    return options.some(({ long, required }) => required && long === word) && options.some(({ long }) => long === next)
  })
  if (at < 0) return
  throw new UsageError(`${words[at]} is followed by "${words[at + 1]}", which is an option; a value is accepted`)
}

/** The options of every command. */
function optionsOf(command: Command): Command['options'] {
  return [...command.options, ...command.commands.flatMap((under) => optionsOf(under as Command))]
}

/** In the order in which help lists them. */
const definitions: readonly ((program: Command, around: Surroundings) => void)[] = [
  defineRun,
  defineServe,
  defineInit,
  defineDoctor,
  definePlan,
  defineProvider,
  defineWaive,
  defineList,
  defineExplain,
  defineReport,
  defineCompare,
  defineMerge,
  defineOpenApi,
  defineCompletion,
]

/** The program with every command. Nothing that judges or sends is loaded before a command runs. */
export function createProgram(around: Surroundings): Command {
  const program = new Command(suiteIdentity.name)
    .description('Judges an implementation of the code-hosting REST API, per API version.')
    .version(suiteIdentity.version)
    .showHelpAfterError('(--help shows the options)')
    .configureHelp({ helpWidth: 110 })
    .configureOutput({ writeOut: around.print, writeErr: around.warn })
    .exitOverride()
  for (const define of definitions) define(program, around)
  return program
}
