import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings'
import { formatNames } from '../../report/formats/format-names.ts'
import type { Shard } from '../../run/selection/selection.ts'
import { areas } from '../../spec/endpoints.ts'
import { apiVersions } from '../../spec/versions.ts'
import type { Catalogue } from '../../suite/catalogue.ts'
import { didYouMean } from '../../text/errors.ts'
import type { Output } from './streams.ts'

/** Makes an option that may be repeated, each time with one value. A value with a comma is an error. */
export function repeatable<const Flags extends string, Value>(
  flags: Flags,
  description: string,
  parse: (text: string) => Value,
) {
  const [flag] = flags.split(' ')
  const one = (text: string) => {
    if (!text.includes(',')) return parse(text)
    const meant = text.split(',').map((part) => `${flag} ${part.trim()}`)
    throw new InvalidArgumentError(`one value is accepted (did you mean "${meant.join(' ')}"?)`)
  }
  return new Option(flags, description).argParser<Value[]>((text, before) => [
    ...(before ?? []),
    one(text),
  ])
}

/** Accepts one of some words; the error for any other word guesses the likely one. */
export function oneOf<Word extends string>(accepted: readonly Word[]): (text: string) => Word {
  return (text) => {
    const found = accepted.find((word) => word === text)
    if (found !== undefined) return found
    throw new InvalidArgumentError(`accepted: ${accepted.join(', ')}${didYouMean(text, accepted)}`)
  }
}

/** Accepts a whole number of a range. */
function numberWithin(least: number, most: number, form: string): (text: string) => number {
  return (text) => {
    if (/^\d+$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text)
    throw new InvalidArgumentError(`${form} is accepted`)
  }
}

const wholeNumber = numberWithin(0, Number.POSITIVE_INFINITY, 'a whole number')
/** Parses an option that accepts a whole number from 1 on. Throws `InvalidArgumentError` for other texts. */
export const positiveInteger = numberWithin(1, Number.POSITIVE_INFINITY, 'a whole number from 1 on')
/** Parses an option that accepts a port from 0 to 65535. Throws `InvalidArgumentError` for other texts. */
export const portNumber = numberWithin(0, 65_535, 'a port from 0 to 65535')

/** Options that several commands share. Each function returns a new option. */
export const shared = {
  config: () =>
    new Option(
      '--config <file>',
      'configuration; ./conformance.config.yaml is loaded when present',
    ),
  baseUrl: () => new Option('--base-url <url>', 'the target; overrides the configuration'),
  reference: () =>
    new Option('--reference', 'the target is the embedded reference server').conflicts('baseUrl'),
  version: () =>
    repeatable('--api-version <version>', 'this version only (repeatable)', oneOf(apiVersions)),
  area: () => repeatable('--area <area>', 'this area only (repeatable)', oneOf(areas)),
  only: () =>
    repeatable('--only <glob>', 'the checks with these ids only (repeatable)', (text) => text),
  format: () =>
    repeatable('--format <format>', `${formatNames.join(', ')} (repeatable)`, oneOf(formatNames)),
  requirements: () =>
    new Option(
      '--requirements <release>',
      'judge the requirements of a release, such as 0.1, only',
    ),
  json: () => new Option('--json', 'print JSON'),
}

/** The command with the options of `doctor`, `plan` and `run` that choose a target and its checks. */
export function withTargetOptions(command: Command) {
  return command
    .addOption(shared.config())
    .addOption(shared.baseUrl())
    .addOption(shared.reference())
    .addOption(shared.version())
    .addOption(shared.area())
    .addOption(shared.only())
    .addOption(shared.requirements())
}

/** The command with the options of `run`. */
export function withRunOptions(command: Command) {
  return withTargetOptions(command)
    .option('--out <dir>', 'the directory of the reports (default: reports)')
    .addOption(shared.format())
    .option('--strict', 'treat warnings as failures')
    .option('--read-only', 'send only GET requests')
    .option(
      '--profile <profile>',
      'smoke: one page of every endpoint, at most 60 requests per version',
      oneOf(['smoke']),
    )
    .addOption(
      new Option(
        '--failed [dir]',
        'the failed, errored and suspected checks of a run only (default: reports)',
      ).conflicts('shard'),
    )
    .option('--shard <i/n>', 'judge the i-th of n parts', shardOf)
    .option(
      '--quick',
      'judge each check once, with a brief look for effects; the verdict is provisional',
    )
    .addOption(
      new Option('--bail <n>', 'begin no further check after n causes of failures')
        .argParser(positiveInteger)
        .conflicts('watch'),
    )
    .option('--max-requests <n>', 'send at most n requests per version', positiveInteger)
    .option('--seed <n>', 'seed of the property checks (default: random, printed)', wholeNumber)
    .option(
      '--wait <seconds>',
      'the longest wait for the target to respond (default: 0)',
      wholeNumber,
    )
    .option(
      '--watch',
      'judge again on Enter and when the target comes back; only changes are printed',
    )
    .addOption(
      new Option('--har <file>', 'write every exchange, without secrets, as HAR 1.2').conflicts(
        'watch',
      ),
    )
    .option(
      '--verbose',
      'print every request that repeats a deviation, the lags of the target, the waits and the requests',
    )
    .addOption(new Option('--open', 'open the page report.html at the end').conflicts('quiet'))
    .option('--quiet', 'print nothing')
}

/** The options of `run`; those of `doctor` and `plan` are among them. */
export type RunOptions = OptionsOf<typeof withRunOptions>

/** `2/4`: the second of four parts. */
function shardOf(text: string): Shard {
  const [, index, of] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number)
  if (index && of && index <= of) return { index, of }
  throw new InvalidArgumentError('I/N with 1 ≤ I ≤ N is accepted, such as 2/4')
}

/** The type of a command's parsed options, derived from its `define` function. */
export type OptionsOf<Define extends (...known: never[]) => Pick<Command, 'opts'>> = ReturnType<
  ReturnType<Define>['opts']
>

/** The text of an example below the options of a command: its words, after the environment variables of the call. */
export function example(words: string, variables = '') {
  return `\nExample:\n  ${variables}service-conformance ${words}`
}

/** The options that choose the suites. */
export interface SuiteOptions {
  readonly config?: string | undefined
  readonly requirements?: string | undefined
}

/** The functions of the program that every command may call. */
export interface CommandContext extends Output {
  /** The built-in suites and those of the configuration, with the names that they know. They are loaded at the first call, so that help is instant. */
  readonly catalogue: (options?: SuiteOptions) => Promise<Catalogue>
  /** Prints the text of a command that ends, and sets the exit code of the process; 0 unless called. */
  readonly end: (result: { readonly code: number; readonly text?: string }) => void
}

/** A value as JSON for programs. */
export function renderJson(value: unknown) {
  return `${JSON.stringify(value, null, 2)}\n`
}
