import { type Command, InvalidArgumentError, Option, type OptionValues } from '@commander-js/extra-typings'
import { areas } from '../spec/endpoints.ts'
import { apiVersions } from '../spec/versions.ts'
import { guess, UsageError } from '../text/errors.ts'

/** An option that may stand several times, each time with one value; no value contains a comma. */
export function repeated<const Flags extends string, Value>(flags: Flags, description: string, parse: (text: string) => Value) {
  const [flag] = flags.split(' ')
  const one = (text: string) => {
    if (!text.includes(',')) return parse(text)
    const meant = text.split(',').map((part) => `${flag} ${part.trim()}`)
    throw new InvalidArgumentError(`one value is accepted (did you mean "${meant.join(' ')}"?)`)
  }
  return new Option(flags, description).argParser<Value[]>((text, before) => [...(before ?? []), one(text)])
}

/** Accepts one of some words; anything else is refused with a guess. */
export function oneOf<Word extends string>(accepted: readonly Word[]): (text: string) => Word {
  return (text) => {
    const found = accepted.find((word) => word === text)
    if (found !== undefined) return found
    throw new InvalidArgumentError(`accepted: ${accepted.join(', ')}${guess(text, accepted)}`)
  }
}

/** Accepts `1`, `2` and so on. */
export function positiveInteger(text: string): number {
  if (/^\d+$/.test(text) && Number(text) > 0) return Number(text)
  throw new InvalidArgumentError('a whole number from 1 on is accepted')
}

/** Accepts `0`, `1` and so on. */
export function wholeNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  throw new InvalidArgumentError('a whole number is accepted')
}

/** A port: 1 to 65535. */
export function portNumber(text: string): number {
  if (/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535) return Number(text)
  throw new InvalidArgumentError('a port from 1 to 65535 is accepted')
}

/** An http(s) address. */
export function webAddress(text: string): string {
  if (/^https?:\/\/[^\s/]+/.test(text) && URL.canParse(text)) return text
  throw new InvalidArgumentError('an http(s) address is accepted, such as https://tracker.example/7')
}

/** `2/4`: the second of four parts. */
export function shardOf(text: string): { index: number; of: number } {
  const [, index, of] = /^(\d+)\/(\d+)$/.exec(text) ?? []
  if (index !== undefined && of !== undefined && Number(index) >= 1 && Number(index) <= Number(of)) {
    return { index: Number(index), of: Number(of) }
  }
  throw new InvalidArgumentError('I/N with 1 ≤ I ≤ N is accepted, such as 2/4')
}

/** A date that exists, as YYYY-MM-DD. */
function calendarDate(text: string): string {
  const parsed = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined
  if (parsed && !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(text)) return text
  throw new InvalidArgumentError('a date is accepted, such as 2027-01-31')
}

/** A date that is not over. */
export function comingDate(text: string): string {
  const date = calendarDate(text)
  if (date >= new Date().toISOString().slice(0, 10)) return date
  throw new InvalidArgumentError('the date is in the past; a waiver that is over fails the gate')
}

/** The options that a command cannot do without. Throws {@link UsageError}, which names all that are missing. */
export function required<Name extends string>(
  options: Readonly<Partial<Record<Name, string>>>,
  names: readonly Name[],
): Record<Name, string> {
  const missing = names.filter((name) => options[name] === undefined)
  if (missing.length > 0)
    throw new UsageError(`${missing.map((name) => `--${name}`).join(', ')} must be given (--help shows an example)`)
  return options as Record<Name, string>
}

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

/** The command with the options that choose a target and its checks: those of `doctor`, `plan` and `run` are the same. */
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

/** The example under a command's help. */
export function example(line: string): string {
  return `\nExample:\n  ${line}`
}
