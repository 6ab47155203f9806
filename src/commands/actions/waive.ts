import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type Document, isSeq, parseDocument } from 'yaml'
import { findCheck } from '../../run/selection/selection.ts'
import type { ApiVersion } from '../../spec/versions.ts'
import type { Suite } from '../../suite/check.ts'
import { UsageError } from '../../text/errors.ts'
import { defaultConfigFile } from './target.ts'

/** The options of `waive`. */
export interface WaiveOptions {
  config?: string | undefined
  apiVersion?: ApiVersion[] | undefined
  reason: string
  owner: string
  link: string
  expires: string
}

/** Adds a waiver to the configuration; comments and everything else in it stay as they are. Throws {@link UsageError}. */
export function waiveCommand(
  check: string,
  { config = defaultConfigFile, apiVersion, ...rest }: WaiveOptions,
  suites: readonly Suite[],
): string {
  findCheck(suites, check)
  const text = existsSync(config) ? readFileSync(config, 'utf8') : ''
  const entry = { check, ...(apiVersion ? { versions: apiVersion } : {}), ...pick(rest) }
  const document = parseDocument(text, { keepSourceTokens: true })
  const problem = document.errors[0]
  if (problem) throw new UsageError(`${config} is not valid YAML: ${problem.message}`)
  const known = ((document.toJS() ?? {}) as { waivers?: { check: string; versions?: ApiVersion[] }[] }).waivers ?? []
  if (known.some((waiver) => waiver.check === check && overlaps(waiver.versions, apiVersion))) {
    throw new UsageError(`${config} has a waiver of ${check} already; change that entry`)
  }
  const changed = withWaiver(text, document, entry)
  writeFileSync(config, changed)
  return `${config}: ${check} is waived until ${rest.expires}\n`
}

function pick({ reason, owner, link, expires }: Omit<WaiveOptions, 'config' | 'apiVersion'>) {
  return { reason, owner, link, expires }
}

function overlaps(a: readonly ApiVersion[] | undefined, b: readonly ApiVersion[] | undefined): boolean {
  return !a || !b || a.some((version) => b.includes(version))
}

/** The text with the entry added: below the last one where there is a list, at the end where there is none. */
function withWaiver(text: string, document: Document, entry: object): string {
  const line = (indent: string) => `${indent}- ${flow(entry)}\n`
  const waivers = document.get('waivers', true)
  const ended = text === '' || text.endsWith('\n') ? text : `${text}\n`
  if (waivers === undefined || waivers === null) return `${ended}waivers:\n${line('  ')}`
  const last =
    isSeq(waivers) && !waivers.flow ? (waivers.items.at(-1) as { range?: [number, number, number] } | undefined) : undefined
  if (!last?.range) {
    document.addIn(['waivers'], entry)
    return document.toString()
  }
  const begin = ended.lastIndexOf('\n', ended.lastIndexOf('-', last.range[0])) + 1
  const indent = /^[ ]*/.exec(ended.slice(begin))?.[0] ?? ''
  const end = ended.indexOf('\n', last.range[1] - 1) + 1
  return `${ended.slice(0, end)}${line(indent)}${ended.slice(end)}`
}

/** An object on one line, as people write it in YAML. */
function flow(entry: object): string {
  const members = Object.entries(entry).map(([key, value]) => `${key}: ${isPlain(value) ? value : JSON.stringify(value)}`)
  return `{ ${members.join(', ')} }`
}

/** True for what YAML reads as text without quotes: check ids, dates, names. */
function isPlain(value: unknown): boolean {
  if (typeof value !== 'string' || /^(true|false|null|yes|no|on|off)$/i.test(value)) return false
  return /^[A-Za-z][A-Za-z0-9.-]*$/.test(value) || /^\d{4}-\d{2}-\d{2}$/.test(value)
}
