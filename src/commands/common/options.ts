import { type Command, InvalidArgumentError, Option, type OptionValues } from '@commander-js/extra-typings'
import { areas } from '../../spec/endpoints.ts'
import { apiVersions } from '../../spec/versions.ts'
import { guess } from '../../text/errors.ts'

/** An option that may be repeated, each time with one value; no value contains a comma. */
export function repeated<const Flags extends string, Value>(flags: Flags, description: string, parse: (text: string) => Value) {
  const [flag] = flags.split(' ')
  const one = (text: string) => {
    if (!text.includes(',')) return parse(text)
    const meant = text.split(',').map((part) => `${flag} ${part.trim()}`)
    throw new InvalidArgumentError(`one value is accepted (did you mean "${meant.join(' ')}"?)`)
  }
  return new Option(flags, description).argParser<Value[]>((text, before) => [...(before ?? []), one(text)])
}

/** Accepts one of some words; the error for any other word guesses the likely one. */
export function oneOf<Word extends string>(accepted: readonly Word[]): (text: string) => Word {
  return (text) => {
    const found = accepted.find((word) => word === text)
    if (found !== undefined) return found
    throw new InvalidArgumentError(`accepted: ${accepted.join(', ')}${guess(text, accepted)}`)
  }
}

/** Accepts a whole number of a range. */
function numberWithin(least: number, most: number, form: string): (text: string) => number {
  return (text) => {
    if (/^\d+$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text)
    throw new InvalidArgumentError(`${form} is accepted`)
  }
}

export const wholeNumber = numberWithin(0, Number.POSITIVE_INFINITY, 'a whole number')
export const positiveInteger = numberWithin(1, Number.POSITIVE_INFINITY, 'a whole number from 1 on')
export const portNumber = numberWithin(1, 65_535, 'a port from 1 to 65535')

/** Options that several commands share; each call makes new ones. */
export const shared = {
  config: () => new Option('--config <file>', 'configuration; ./conformance.config.yaml is loaded when present'),
  baseUrl: () => new Option('--base-url <url>', 'the target; overrides the configuration'),
  reference: () => new Option('--reference', 'the target is the embedded reference server').conflicts('baseUrl'),
  version: () => repeated('--api-version <version>', 'this version only (repeatable)', oneOf(apiVersions)),
  area: () => repeated('--area <area>', 'this area only (repeatable)', oneOf(areas)),
  only: () => repeated('--only <glob>', 'the checks with these ids only (repeatable)', (text) => text),
  requirements: () =>
    new Option('--requirements <release>', 'judge the requirements of a release, such as 0.1; newer checks are left out'),
  json: () => new Option('--json', 'print JSON'),
}

/** The command with the options of `doctor`, `plan` and `run` that choose a target and its checks. */
export function judging<Words extends unknown[], Options extends OptionValues, Above extends OptionValues>(
  command: Command<Words, Options, Above>,
) {
  return command
    .addOption(shared.config())
    .addOption(shared.baseUrl())
    .addOption(shared.reference())
    .addOption(shared.version())
    .addOption(shared.area())
    .addOption(shared.only())
    .addOption(shared.requirements())
}

/** The example below the options of a command. */
export function example(line: string): string {
  return `\nExample:\n  ${line}`
}
