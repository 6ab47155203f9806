import { InvalidArgumentError, Option } from '@commander-js/extra-typings'
import { areas } from '../spec/endpoint.ts'
import { apiVersions } from '../spec/versions.ts'
import { guess } from '../text/guess.ts'

/** An option that may stand several times. */
export function repeated<const Flags extends string, Value>(flags: Flags, description: string, parse: (text: string) => Value) {
  return new Option(flags, description).argParser<Value[]>((text, before) => [...(before ?? []), parse(text)])
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

/** `2/4`: the second of four parts. */
export function shardOf(text: string): { index: number; of: number } {
  const [, index, of] = /^(\d+)\/(\d+)$/.exec(text) ?? []
  if (index !== undefined && of !== undefined && Number(index) >= 1 && Number(index) <= Number(of)) {
    return { index: Number(index), of: Number(of) }
  }
  throw new InvalidArgumentError('I/N with 1 ≤ I ≤ N is accepted, such as 2/4')
}

/** A date that exists, as YYYY-MM-DD. */
export function calendarDate(text: string): string {
  const parsed = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined
  if (parsed && !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(text)) return text
  throw new InvalidArgumentError('a date is accepted, such as 2027-01-31')
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

/** The example under a command's help. */
export function example(line: string): string {
  return `\nExample:\n  ${line}`
}
