import { isUtf8 } from 'node:buffer'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { type Document, isMap, isScalar, LineCounter, parseDocument, type YAMLError } from 'yaml'
import { type DialectFile, renamedCategories } from '../http/dialect/dialect.ts'
import type { Permissions } from '../spec/needs.ts'
import { atPointer } from '../text/data.ts'
import { guess, messageOf, UsageError } from '../text/errors.ts'
import type { Config, TokenConfig } from './config.ts'
import { checkSecrets, checkTargets, checkTokens, type Locate } from './contradictions.ts'
import { defaults } from './defaults.ts'
import { checkDialect } from './dialect.ts'
import { suiteFiles } from './suite-files.ts'
import { explainInvalid, validatorOf } from './validate.ts'

/**
 * Reads a configuration file: YAML, `${NAME}` replaced from the environment, validated against
 * `schemas/config.schema.json`, defaults filled in, file names made absolute.
 * Throws {@link UsageError}, which names the file, the line and the offending text.
 */
export function loadConfig(file: string, environment: NodeJS.ProcessEnv = process.env): Config {
  const { raw, lineOf } = readYaml(file)
  const value = substitute(raw, environment, (path) => `${file}:${lineOf(path)}`) as Record<string, unknown>
  const validate = validatorOf('config')
  // Errors quote the file's own text, not what the environment put in its place: that may be a secret.
  if (!validate(value)) throw new UsageError(explainInvalid(validate.errors ?? [], raw, (path) => `${file}:${lineOf(path)}`))
  const { provider } = value
  if (typeof provider === 'string' && /^(?!https?:)[a-z][a-z\d+.-]+:\/\//i.test(provider)) {
    const said = provider.replace(/\/\/[^/]*@/, '//…@')
    throw new UsageError(
      `${file}:${lineOf(['provider'])}: provider is "${said}": an http(s) URL or the path of a JavaScript module is accepted`,
    )
  }
  checkDialectFile(value, dirname(resolve(file)), `${file}:${lineOf(['target', 'dialect'])}`)
  const config = { ...complete(value, dirname(resolve(file)), environment), file }
  if (config.target.reference && config.target.baseUrl !== undefined) {
    throw new UsageError(
      `${file}:${lineOf(['target', 'reference'])}: target.reference is true and target.baseUrl is set; a run judges one of the two`,
    )
  }
  config.tokens = config.tokens.map((token, index) => withVariable(token, raw, index))
  checkTokens(config.tokens, (path) => `${file}:${lineOf(path)}`)
  checkSecrets(config.tokens, (path) => `${file}:${lineOf(path)}`)
  checkTargets(config.needs, (path) => `${file}:${lineOf(path)}`)
  config.waivers = config.waivers.map((waiver, index) => ({ ...waiver, at: `${file}:${lineOf(['waivers', index])}` }))
  return config
}

/** The token with the name of the variable that its secret is written as: `secret: "${OWNER_TOKEN}"`. */
function withVariable(token: TokenConfig, raw: unknown, index: number): TokenConfig {
  const written = atPointer(raw, `/tokens/${index}/secret`)
  const [, variable] = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/.exec(typeof written === 'string' ? written : '') ?? []
  return variable === undefined ? token : { ...token, variable }
}
/** The limits that may be written with a unit. */
type ByteLimit = 'archiveBytes' | 'bodyBytes' | 'totalBytes'

/** A configuration as its schema accepts it: everything may be left out, and sizes and files are written as text. */
interface WrittenConfig extends Partial<Omit<Config, 'target' | 'claims' | 'limits' | 'polling' | 'gate' | 'report' | 'suites'>> {
  readonly target?: Partial<Omit<Config['target'], 'dialect'>> & { readonly dialect?: string }
  readonly claims?: Partial<Config['claims']>
  readonly limits?: Partial<Omit<Config['limits'], ByteLimit>> & { readonly [Name in ByteLimit]?: number | string }
  readonly polling?: Partial<Config['polling']>
  readonly gate?: Partial<Omit<Config['gate'], 'minJudged'>> & { readonly minJudged?: number | string }
  readonly report?: Partial<Config['report']>
  readonly suites?: string | string[]
}

function complete(value: WrittenConfig, folder: string, environment: NodeJS.ProcessEnv): Config {
  const { suites, ...written } = value
  const { dialect, ...target } = value.target ?? {}
  const config: Config = {
    ...structuredClone(defaults),
    ...written,
    target: { ...target, paths: { ...target.paths } },
    claims: { ...defaults.claims, ...value.claims },
    limits: { ...defaults.limits, ...value.limits, ...byteCounts(value.limits) },
    polling: { ...defaults.polling, ...value.polling },
    gate: { ...defaults.gate, ...value.gate, minJudged: percentage(value.gate?.minJudged) },
    report: { ...defaults.report, ...value.report },
  }
  if (suites !== undefined) config.suites = suiteFiles([suites].flat(), folder)
  if (dialect !== undefined) speak(config, loadDialect(resolve(folder, dialect), environment))
  if (config.provider !== undefined && !/^https?:\/\//.test(config.provider)) config.provider = resolve(folder, config.provider)
  return config
}

/** Throws {@link UsageError} for a dialect that cannot be read, with the place that names it. */
function checkDialectFile({ target }: WrittenConfig, folder: string, at: string): void {
  if (target?.dialect === undefined) return
  const dialect = resolve(folder, target.dialect)
  if (statSync(dialect, { throwIfNoEntry: false })?.isFile()) return
  const code = existsSync(dialect) ? 'EISDIR' : 'ENOENT'
  throw new UsageError(`${at}: target.dialect is "${target.dialect}": ${unreadable(dialect, { code })}`)
}

/** What a configuration file says of the suites, whatever else it says: lists and explanations need no target and no secret. Throws {@link UsageError}. */
export function readSuiteSettings(file: string): Pick<Config, 'suites' | 'requirements'> {
  const { raw } = readYaml(file)
  const { suites, requirements } = (raw ?? {}) as { suites?: string | string[]; requirements?: unknown }
  return {
    ...(suites === undefined ? {} : { suites: suiteFiles([suites].flat().map(String), dirname(resolve(file))) }),
    ...(requirements === undefined ? {} : { requirements: String(requirements) }),
  }
}

/** Gives a configuration its dialect: the categories that its tokens name may be the target's, and so may the only base URL. */
function speak(config: Config, dialect: DialectFile): void {
  config.target.dialect = dialect
  const base = config.target.baseUrl ?? Object.values(dialect.baseUrls ?? {}).at(-1)
  if (base !== undefined) config.target.baseUrl = base
  config.tokens = config.tokens.map((token) => inDocumentsWords(token, dialect))
  const { token } = config.needs
  if (token !== undefined)
    config.needs = { ...config.needs, token: [token].flat().map((each) => inDocumentsWords(each, dialect)) }
}

function inDocumentsWords<Token>(token: Token, { permissions: names = {} }: DialectFile): Token {
  const { permissions } = token as { permissions?: Permissions }
  const slugs = new Map(Object.entries(names).map(([slug, wire]) => [wire, slug]))
  if (permissions === undefined || slugs.size === 0) return token
  return { ...token, permissions: renamedCategories(permissions, (wire) => slugs.get(wire) ?? wire) }
}

/** Reads and checks a dialect file, `${NAME}` replaced from the environment in its extra headers; throws {@link UsageError}. */
export function loadDialect(file: string, environment: NodeJS.ProcessEnv = process.env): DialectFile {
  const { raw, lineOf } = readYaml(file)
  const locate: Locate = (path) => `${file}:${lineOf(path)}`
  const validate = validatorOf('dialect')
  if (!validate(raw)) throw new UsageError(explainInvalid(validate.errors ?? [], raw, locate))
  const dialect = raw as DialectFile
  checkDialect(dialect, locate)
  if (dialect.extraHeaders === undefined) return dialect
  const extraHeaders = substitute(dialect.extraHeaders, environment, locate, ['extraHeaders']) as Readonly<Record<string, string>>
  const variables = variablesIn(Object.values(dialect.extraHeaders).join(' '))
  return { ...dialect, extraHeaders, secrets: Object.fromEntries(variables.map((name) => [name, environment[name] ?? ''])) }
}

/** The names in `${NAME}`. */
function variablesIn(text: string): string[] {
  return [...text.matchAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g)].map(([, name]) => name as string)
}

/** Says where a member of a configuration file is written: `a.yaml:7: `. */
export function placesIn(file: string): (path: readonly (string | number)[]) => string {
  return (path) => `${file}:${readYaml(file).lineOf(path)}: `
}

function readYaml(file: string): { raw: unknown; lineOf: (path: readonly (string | number)[]) => number } {
  const text = textOf(file)
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const problem = document.errors[0]
  if (problem)
    throw new UsageError(`${file}:${lines.linePos(problem.pos[0]).line} is not valid YAML: ${yamlProblem(problem, text)}`)
  const raw = plainValue(document, file)
  if (Array.isArray(raw)) throw new UsageError(`${file}:1 is a list; a map is accepted, such as "target: { baseUrl: … }"`)
  return { raw, lineOf: (path) => lineOf(document, lines, path) }
}

/** The text of a file. Throws {@link UsageError} where there is none: other encodings would garble names and hide keys. */
function textOf(file: string): string {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    throw new UsageError(unreadable(file, error))
  }
  if (isUtf8(bytes)) return bytes.toString('utf8')
  throw new UsageError(`${file} is not encoded as UTF-8; save it as UTF-8`)
}

/** The value that a document describes. Throws {@link UsageError} where its aliases would make it huge. */
function plainValue(document: Document, file: string): unknown {
  try {
    return document.toJS() ?? {}
  } catch (error) {
    throw new UsageError(`${file} is not valid YAML: ${messageOf(error)}`)
  }
}

/** Why a file cannot be read, and which file beside it may be meant. */
function unreadable(file: string, error: unknown): string {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EISDIR') return `${file} is a folder; a YAML file is accepted`
  if (code !== 'ENOENT') return `${file} cannot be read: ${messageOf(error)}`
  const folder = dirname(resolve(file))
  const beside = existsSync(folder) && statSync(folder).isDirectory() ? readdirSync(folder) : []
  const yaml = beside.filter((name) => /\.ya?ml$/.test(name))
  const stem = (name: string) => name.replace(/(\.config)?\.ya?ml$/, '')
  const alike = yaml.find((name) => stem(name) === stem(basename(file)))
  return `there is no file ${file}${alike === undefined ? guess(basename(file), yaml) : ` (did you mean "${alike}"?)`}`
}

function yamlProblem({ code, message, pos }: YAMLError, text: string): string {
  const key = /^[^\s:]*/.exec(text.slice(pos[0]))?.[0]
  if (code === 'DUPLICATE_KEY' && key) return `the key "${key}" stands twice in one map`
  const bare = /\$\{[A-Za-z_][A-Za-z0-9_]*\}/.exec(text.slice(text.lastIndexOf('\n', pos[0]) + 1).split('\n')[0] ?? '')?.[0]
  return bare === undefined ? message : `${message} (did you mean "${bare}" in quotes?)`
}

/** The line of a member's key, or of the nearest enclosing member that exists. */
function lineOf(document: Document, lines: LineCounter, path: readonly (string | number)[]): number {
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true)
  const key = isMap(parent) ? parent.items.find((item) => isScalar(item.key) && item.key.value === path.at(-1))?.key : undefined
  const node = key ?? document.getIn(path, true)
  const range = (node as { range?: [number, number, number] } | undefined)?.range
  if (range) return lines.linePos(range[0]).line
  return path.length > 1 ? lineOf(document, lines, path.slice(0, -1)) : 1
}

/** Variables that are set and differ from a name in nothing but case. */
function alikeIn(environment: NodeJS.ProcessEnv, name: string): string[] {
  return Object.keys(environment).filter((key) => environment[key] && key.toUpperCase() === name.toUpperCase())
}

function substitute(value: unknown, environment: NodeJS.ProcessEnv, locate: Locate, path: (string | number)[] = []): unknown {
  if (typeof value === 'string') {
    if (/\$\{(?![A-Za-z_][A-Za-z0-9_]*\})/.test(value)) {
      throw new UsageError(`${locate(path)}: ${path.join('.')} contains "\${" that names no variable; \${NAME} is accepted`)
    }
    return value.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (text, name: string) => {
      const found = environment[name]
      if (found === undefined || found === '') {
        throw new UsageError(
          `${locate(path)}: the environment variable ${name} is not set${guess(name, alikeIn(environment, name))} (written as ${text} at ${path.join('.')})`,
        )
      }
      return found
    })
  }
  if (Array.isArray(value)) return value.map((item, index) => substitute(item, environment, locate, [...path, index]))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, substitute(member, environment, locate, [...path, key])]),
  )
}

const units: Readonly<Record<string, number>> = {
  '': 1,
  K: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
}

/** `80%` or `80` as 80. */
function percentage(value: number | string | undefined): number {
  return value === undefined ? defaults.gate.minJudged : Number(String(value).replace('%', ''))
}

function byteCounts(limits: WrittenConfig['limits']): { [Name in ByteLimit]: number } {
  const of = (name: ByteLimit) => byteCount(limits?.[name]) ?? Number(defaults.limits[name])
  return { archiveBytes: of('archiveBytes'), bodyBytes: of('bodyBytes'), totalBytes: of('totalBytes') }
}

function byteCount(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  const [, amount, unit = ''] = /^([0-9.]+) ?([KMGT]i?)?B$/.exec(String(value ?? '')) ?? []
  return amount === undefined ? undefined : Number(amount) * (units[unit] ?? 1)
}
