import { Command, CommanderError } from '@commander-js/extra-typings'
import { withoutCredentials } from '../config/addresses.ts'
import { suiteIdentity } from '../package/root.ts'
import { ProviderFailure } from '../run/needs/provider-failure.ts'
import type { Suite } from '../suite/check.ts'
import { didYouMean, EndedEarly, messageOf, originOf, UsageError } from '../text/errors.ts'
import { wrapped } from '../text/table.ts'
import type { CommandContext, SuiteOptions } from './common/command.ts'
import { outputTo, type Streams } from './common/streams.ts'

/** One command: its line in the help, and the module that adds its options and its action. */
type Entry = readonly [
  summary: string,
  load: () => Promise<{ define: (command: Command, context: CommandContext) => void }>,
]

/** The commands in the order of the help. A module is loaded only when the words need its options. */
const commands: Readonly<Record<string, Entry>> = {
  run: [
    'judge a target, one report per API version (the default command)',
    () => import('./run.ts'),
  ],
  serve: [
    'start the embedded reference server; prints one JSON line when ready',
    () => import('./serve.ts'),
  ],
  init: ['write a starter configuration by asking the target', () => import('./init.ts')],
  doctor: [
    'check the target, tokens and needs; list the cost of each gap, and how to close it',
    () => import('./doctor.ts'),
  ],
  plan: [
    'count the checks of a run, those that change data, and its requests, without sending one',
    () => import('./plan.ts'),
  ],
  provider: [
    'write a provider of test data, or try one without judging the target',
    () => import('./provider.ts'),
  ],
  waive: ['add a waiver for a failing check to the configuration', () => import('./waive.ts')],
  list: [
    'list checks, requirements, needs, faults or variants without sending a request',
    () => import('./list.ts'),
  ],
  explain: [
    'explain one check with its requests, or one reading of the document',
    () => import('./explain.ts'),
  ],
  report: ['write an existing run in other formats', () => import('./report.ts')],
  compare: [
    'compare runs: regressions, fixes, new and lost checks; exit 1 if one is worse',
    () => import('./compare.ts'),
  ],
  merge: ['join the reports of shards', () => import('./merge.ts')],
  openapi: ['print the covered API as OpenAPI 3.1', () => import('./openapi.ts')],
}

/** Runs the command line and resolves to its exit code: 0, 1, 2, 3 or 130. It never rejects: an unexpected error ends with 3. */
export async function main(
  given: string[],
  suites: () => Promise<readonly Suite[]>,
  streams?: Streams,
) {
  // "help provider new" is the help of a command below a command, too.
  const words = given[0] === 'help' && given.length > 1 ? [...given.slice(1), '--help'] : given
  const output = outputTo(streams)
  const { print, warn } = output
  let exitCode = 0
  const end: CommandContext['end'] = ({ code, text = '' }) => {
    exitCode = code
    print(text)
  }
  const catalogue = async (options?: SuiteOptions) => {
    const [{ catalogueFor }, builtIn] = await Promise.all([import('./common/target.ts'), suites()])
    return catalogueFor(options, builtIn)
  }
  try {
    checkWords(words)
    const program = await createProgram({ ...output, catalogue, end }, neededBy(words))
    checkValues(words, program)
    await program.parseAsync(words, { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    warn(wrapped(`service-conformance: ${messageOf(error)}\n`))
    if (error instanceof UsageError || error instanceof ProviderFailure) return 2
    if (error instanceof EndedEarly) return error.exitCode
    warn(`${originOf(error)}\n`)
    return 3
  }
}

/** The program with all commands. Only the needed ones have their options, because each option loads modules. */
export async function createProgram(context: CommandContext, needed = Object.keys(commands)) {
  const program = new Command(suiteIdentity.name)
    .description('Judges an implementation of the code-hosting REST API, per API version.')
    .version(suiteIdentity.version)
    .showHelpAfterError('(--help shows the options)')
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .configureOutput({ writeOut: context.print, writeErr: (text) => context.warn(wrapped(text)) })
    .exitOverride()
  for (const [name, [summary, load]] of Object.entries(commands)) {
    const command = program.command(name, { isDefault: name === 'run' }).description(summary)
    if (needed.includes(name)) (await load()).define(command, context)
  }
  return program
}

/** The commands whose options the words need: one, the default one, or none. */
function neededBy([word = 'run']: readonly string[]) {
  if (['-h', '--help', '-V', '--version'].includes(word)) return []
  return [word.startsWith('-') ? 'run' : word]
}

/** Throws {@link UsageError} for a first word that is no command, and for an argument of a command that accepts options only. */
function checkWords([word, next = '']: readonly string[]) {
  const known = [...Object.keys(commands), 'help']
  if (word === undefined || word.startsWith('-')) return
  const url = withoutCredentials(word)
  if (/^https?:/.test(word))
    throw new UsageError(`there is no command "${url}" (did you mean "--base-url ${url}"?)`)
  if (!known.includes(word))
    throw new UsageError(
      `there is no command "${word}"${didYouMean(word, known)}; accepted: ${known.join(', ')}`,
    )
  if (!['run', 'doctor', 'plan'].includes(word) || !/^(https?:|[a-z-]+\.[a-z])/.test(next)) return
  const option = next.startsWith('http') ? '--base-url' : '--only'
  throw new UsageError(
    `${word} accepts options only, not "${next}" (did you mean "${option} ${next}"?)`,
  )
}

/** Throws {@link UsageError} for an option without its value: the next option would become the value. */
function checkValues(words: readonly string[], program: Command) {
  const options = optionsOf(program)
  const isOption = (word: string | undefined) => options.some(({ long }) => long === word)
  const takesValue = (word: string) =>
    options.some(({ long, required }) => required && long === word)
  const at = words.findIndex((word, index) => takesValue(word) && isOption(words[index + 1]))
  if (at >= 0)
    throw new UsageError(
      `${words[at]} is followed by "${words[at + 1]}", which is an option; a value is accepted`,
    )
}

/** The options of a command and of the commands below it. */
function optionsOf(command: Command): Command['options'] {
  return [...command.options, ...command.commands.flatMap((under) => optionsOf(under as Command))]
}
