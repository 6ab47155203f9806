import { type Document, isMap, isSeq, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml'
import type { TokenConfig } from '../../config/config.ts'
import type { Role } from '../../spec/needs.ts'
import { UsageError } from '../../text/errors.ts'

/** What was found out about a target, for a configuration that may say it already. */
export interface Additions {
  readonly baseUrl?: string | undefined
  readonly provider?: string | undefined
  readonly tokens: readonly {
    readonly role: Role
    readonly kind: TokenConfig['kind']
    readonly login: string
    readonly secret: string
  }[]
  /** The remaining rate limit was found where it usually is. */
  readonly quota: boolean
  /** Lines of a dialect file that the target's answers suggest. */
  readonly dialect: readonly string[]
}

/** The head of the lines that propose a dialect, by which they are found again. */
const dialectHead = '# The target seems to use words of its own.'

/** Text that goes into another one, and what it adds. */
interface Insertion {
  readonly at: number
  readonly text: string
  readonly added: string
}

/**
 * The text of an existing configuration with what it lacks, and a line for each thing that was added. Not a byte of it is changed: what it
 * says otherwise than the target is left to the person. Throws {@link UsageError} for broken YAML.
 */
export function extended(file: string, text: string, found: Additions): { text: string; added: string[] } {
  const document = parseDocument(text)
  const problem = document.errors[0]
  if (problem) throw new UsageError(`${file} is not valid YAML: ${problem.message}`)
  const inside = [...addTarget(document, text, found), ...addTokens(document, text, found)].sort((a, b) => b.at - a.at)
  const filled = inside.reduce((all, { at, text: more }) => `${all.slice(0, at)}${more}${all.slice(at)}`, text)
  const { lines, added } = atTheEnd(document, text, found)
  const end = lines.length === 0 ? filled : `${filled.trimEnd()}\n${lines.join('\n')}\n`
  return { text: end, added: [...inside.map((insertion) => insertion.added), ...added] }
}

/** What belongs into the member `target`. */
function addTarget(document: Document, text: string, { baseUrl, quota }: Additions): Insertion[] {
  const target = document.get('target')
  if (!isMap(target)) return []
  const isNamed = target.has('baseUrl') || target.has('reference') || target.has('dialect')
  const probe = '{ path: /rate_limit, pointer: /resources/core/remaining, counts: down }'
  return [
    ...(baseUrl === undefined || isNamed
      ? []
      : [insertion(target, text, `baseUrl: ${JSON.stringify(baseUrl)}`, `target.baseUrl: ${baseUrl}`)]),
    ...(quota && !target.has('rateLimit')
      ? [insertion(target, text, `rateLimit: ${probe}`, 'target.rateLimit: the remaining rate limit is at GET /rate_limit')]
      : []),
  ]
}

/** Tokens of roles that a list of tokens does not have yet. */
function addTokens(document: Document, text: string, { tokens }: Additions): Insertion[] {
  const list = document.get('tokens')
  if (!isSeq(list)) return []
  const known = rolesIn(document)
  return tokens
    .filter(({ role }) => !known.includes(role))
    .map((token) => insertion(list, text, list.flow ? flowOf(token) : `- ${flowOf(token)}`, lineOfToken(token)))
}

/** One more member of a collection: before the end of one in brackets, else on a line of its own before the first. */
function insertion(collection: YAMLMap | YAMLSeq, text: string, member: string, added: string): Insertion {
  const [start, end] = collection.range ?? [0, 0]
  if (!collection.flow) {
    const column = start - (text.lastIndexOf('\n', start - 1) + 1)
    return { at: start, text: `${member}\n${' '.repeat(column)}`, added }
  }
  const at = text.slice(0, end - 1).trimEnd().length
  return { at, text: `${collection.items.length === 0 || text[at - 1] === ',' ? ' ' : ', '}${member}`, added }
}

function rolesIn(yaml: Document): unknown[] {
  const { tokens } = (yaml.toJS() ?? {}) as { tokens?: unknown }
  return Array.isArray(tokens) ? tokens.map((token) => (token as { role?: unknown } | null)?.role) : []
}

/** Whole members that are absent go to the end, so that not a byte of the rest changes. */
function atTheEnd(document: Document, text: string, found: Additions): { lines: string[]; added: string[] } {
  const { baseUrl, provider, tokens, quota, dialect } = found
  const lines: string[] = []
  const added: string[] = []
  const append = (what: string[], ...more: string[]) => {
    lines.push(...more)
    added.push(...what)
  }
  if (baseUrl !== undefined && !document.has('target')) {
    const probe = quota ? ['  rateLimit: { path: /rate_limit, pointer: /resources/core/remaining, counts: down }'] : []
    append([`target.baseUrl: ${baseUrl}`], 'target:', `  baseUrl: ${JSON.stringify(baseUrl)}`, ...probe)
  }
  if (tokens.length > 0 && !document.has('tokens'))
    append(tokens.map(lineOfToken), 'tokens:', ...tokens.map((token) => `  - ${flowOf(token)}`))
  if (provider !== undefined && !document.has('provider'))
    append([`provider: ${provider}`], `provider: ${JSON.stringify(provider)}`)
  if (dialect.length > 0 && !document.hasIn(['target', 'dialect']) && !text.includes(dialectHead)) {
    const proposal = [`${dialectHead} Write the lines that are right to ./dialect.yaml and name it as target.dialect:`]
    append(['a comment with lines for a dialect file'], ...proposal, ...dialect.map((line) => `#   ${line}`))
  }
  return { lines, added }
}

function lineOfToken({ role, login }: Additions['tokens'][number]): string {
  return `tokens: ${role}, the login is ${login}`
}

function flowOf({ role, kind, login, secret }: Additions['tokens'][number]): string {
  return `{ role: ${role}, kind: ${kind}, login: ${login}, secret: "${secret}" }`
}
