import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { guess } from '../config/suggest.ts'
import { UsageError } from '../config/usage-error.ts'
import { suiteIdentity } from '../report/build.ts'
import { formatNames } from '../report/formats.ts'
import { areas } from '../spec/endpoint.ts'
import { apiVersions } from '../spec/versions.ts'
import { type ListOptions, listCommand, listNames } from './list.ts'
import { type RunOptions, runCommand } from './run.ts'
import { type ServeOptions, serveCommand } from './serve.ts'

/** Runs the command line and resolves to its exit code (design: outcomes). Unknown errors are not dressed up: they reject. */
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

function createProgram(conclude: (code: number) => void): Command {
  const program = new Command(suiteIdentity.name)
    .description('Judges an implementation of the code-hosting REST API, per API version.')
    .version(suiteIdentity.version)
    .showHelpAfterError('(--help shows the options)')
    .exitOverride()

  program
    .command('run', { isDefault: true })
    .description('judge a target, one report per API version (the default command)')
    .option('--config <file>', 'configuration; ./conformance.config.yaml is loaded when present')
    .option('--base-url <url>', 'the target; without one the embedded reference server is judged')
    .addOption(repeated('--api-version <version>', 'judge this version only (repeatable)', oneOf(apiVersions)))
    .addOption(repeated('--area <area>', 'judge this area only (repeatable)', oneOf(areas)))
    .addOption(repeated('--only <glob>', 'judge the checks with these ids only (repeatable)', (text) => text))
    .option('--out <dir>', 'where reports are written (default: reports)')
    .addOption(
      repeated('--format <format>', 'json, junit, html, markdown, sarif, ctrf or badge (repeatable)', oneOf(formatNames)),
    )
    .option('--strict', 'warnings are red too')
    .option('--read-only', 'send nothing but GET')
    .option('--shard <i/n>', 'judge the i-th of n parts', shardOf)
    .option('--max-requests <n>', 'send at most n requests per version', positiveInteger)
    .option('--seed <n>', 'seed of the property checks (default: random, printed)', positiveInteger)
    .option('--quiet', 'print nothing')
    .addHelpText('after', '\nExample:\n  service-conformance run --base-url http://localhost:3000 --only events.public')
    .action(async (options: RunOptions) => conclude(await runCommand(options)))

  program
    .command('serve')
    .description('start the embedded reference server; prints one JSON line when ready')
    .option('--port <n>', 'port to listen on (default: a free one)', positiveInteger)
    .addOption(repeated('--fault <id>', 'let the server break a requirement (repeatable)', (text) => text))
    .addOption(repeated('--variant <id>', 'let the server use a liberty that the document gives (repeatable)', (text) => text))
    .addHelpText('after', '\nExample:\n  service-conformance serve --port 8080 --fault events.public.no-etag')
    .action(async (options: ServeOptions) => serveCommand(options))

  const list = program
    .command('list')
    .description('show checks, requirements, needs, faults or variants without sending a request')
  for (const name of listNames) {
    list
      .command(name)
      .description(`show ${name}`)
      .addOption(repeated('--area <area>', 'of this area only (repeatable)', oneOf(areas)))
      .addOption(repeated('--only <glob>', 'of the checks with these ids only (repeatable)', (text) => text))
      .option('--json', 'for programs')
      .addHelpText('after', `\nExample:\n  service-conformance list ${name} --area events --json`)
      .action((options: ListOptions) => void process.stdout.write(listCommand(name, options)))
  }

  return program
}

function repeated<Value>(flags: string, description: string, parse: (text: string) => Value): Option {
  return new Option(flags, description).argParser((text, before: Value[] | undefined) => [...(before ?? []), parse(text)])
}

function oneOf<Word extends string>(accepted: readonly Word[]): (text: string) => Word {
  return (text) => {
    const found = accepted.find((word) => word === text)
    if (found !== undefined) return found
    throw new InvalidArgumentError(`accepted: ${accepted.join(', ')}${guess(text, accepted)}`)
  }
}

function positiveInteger(text: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  throw new InvalidArgumentError('a whole number is accepted')
}

function shardOf(text: string): { index: number; of: number } {
  const [, index, of] = /^(\d+)\/(\d+)$/.exec(text) ?? []
  if (index !== undefined && of !== undefined && Number(index) >= 1 && Number(index) <= Number(of)) {
    return { index: Number(index), of: Number(of) }
  }
  throw new InvalidArgumentError('I/N with 1 ≤ I ≤ N is accepted, such as 2/4')
}
