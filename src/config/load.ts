import { dirname, resolve } from 'node:path'
import { renamedCategories } from '../http/dialect/dialect.ts'
import type { DialectFile, Names } from '../http/dialect/dialect-file.ts'
import { knownSecrets } from '../http/redaction/redaction.ts'
import { validatorOf } from '../package/schemas.ts'
import type { Permissions } from '../spec/needs.ts'
import { isObject } from '../suite/located.ts'
import { atPointer, defined } from '../text/data.ts'
import { didYouMean } from '../text/errors.ts'
import { isReachable, withoutCredentials } from './addresses.ts'
import { checkDialect } from './check-dialect.ts'
import { type Config, defaults, type Start } from './config.ts'
import { checkTargets, checkTokens } from './contradictions.ts'
import { suiteFiles } from './suite-files.ts'
import { refuseInvalid } from './validate.ts'
import { fileProblem, type Locate, type Path, readYaml, refuse } from './yaml-file.ts'

const variable = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g

/** A configuration as its schema accepts it: its sections may lack members, and its dialect is the name of a file. */
export type WrittenConfig = {
  readonly [Key in Exclude<
    keyof Config,
    'file' | 'target' | 'suites' | 'provider' | 'providerStart' | 'limits' | 'gate'
  >]?: Config[Key] extends unknown[] ? Config[Key] : Partial<Config[Key]>
} & {
  readonly target?: Partial<Omit<Config['target'], 'dialect'>> & { readonly dialect?: string }
  readonly limits?: {
    readonly [Key in keyof Config['limits']]?: Config['limits'][Key] | `${number}${string}B`
  }
  readonly gate?: Partial<Omit<Config['gate'], 'minJudged'>> & {
    readonly minJudged?: number | `${number}%`
  }
  readonly suites?: string | string[]
  readonly provider?: string | { readonly url: string; readonly start: Start }
}

/**
 * Reads a configuration file: YAML, `${NAME}` replaced from the environment, validated against
 * `schemas/config.schema.json`, defaults filled in, file names made absolute.
 * Throws `UsageError`, which names the file, the line and the offending text.
 */
export function loadConfig(file: string, environment: NodeJS.ProcessEnv = process.env): Config {
  const { value, locate } = readYaml(file)
  return { ...configured(value, locate, dirname(resolve(file)), environment), file }
}

/** The configuration that a program states, treated like a file in the current folder. A whole one is returned as it is. */
export function defineConfig(
  stated: WrittenConfig | Config = {},
  environment: NodeJS.ProcessEnv = process.env,
): Config {
  const has = (whole: object, part: object) => Object.keys(part).every((key) => key in whole)
  if (has(stated, defaults) && has(stated.limits ?? {}, defaults.limits)) return stated as Config
  return configured(defined(stated), () => 'the stated configuration', process.cwd(), environment)
}

function configured(raw: unknown, locate: Locate, folder: string, environment: NodeJS.ProcessEnv) {
  const substituted = substitute(raw, environment, locate)
  hideSecrets(raw, environment)
  const written = validated('config', substituted, raw, locate) as WrittenConfig
  checkFiles(written, folder, locate)
  const config = complete(written, folder, environment)
  checkAddresses(config, locate)
  config.tokens = config.tokens.map((token, index) => {
    const variable = soleVariable(atPointer(raw, `/tokens/${index}/secret`))
    return variable === undefined ? token : { ...token, variable }
  })
  checkTokens(config.tokens, locate)
  checkTargets(config.needs, locate)
  config.waivers = config.waivers.map((waiver, index) => ({
    ...waiver,
    at: locate(['waivers', index]),
  }))
  return config
}

/** Variables with such a name are secrets wherever a configuration repeats them. */
const secretName = /token|secret|key|password/i

/** Hides the secrets of the tokens, and all variables with the name of a secret, in every output, also in errors of the configuration. */
export function hideSecrets(raw: unknown, environment = process.env) {
  for (const name of variablesIn(JSON.stringify(raw) ?? ''))
    if (secretName.test(name)) knownSecrets.add(environment[name] ?? '', name)
  const tokens = atPointer(raw, '/tokens')
  for (const index of Array.isArray(tokens) ? tokens.keys() : []) {
    const secret = String(atPointer(raw, `/tokens/${index}/secret`) ?? '')
    const label = soleVariable(secret) ?? `TOKEN_${index + 1}`
    const value = secret.replaceAll(variable, (_, name) => environment[name] ?? '')
    knownSecrets.add(value, label)
  }
}

/** Reads and checks a dialect file, `${NAME}` in its extra headers replaced from the environment. Throws `UsageError`. */
export function loadDialect(
  file: string,
  environment: NodeJS.ProcessEnv = process.env,
): DialectFile {
  const { value, locate } = readYaml(file)
  const dialect = validated('dialect', value, value, locate) as DialectFile
  checkDialect(dialect, locate)
  if (dialect.extraHeaders === undefined) return dialect
  const extraHeaders = substitute(dialect.extraHeaders, environment, locate, [
    'extraHeaders',
  ]) as Names
  const variables = variablesIn(Object.values(dialect.extraHeaders).join(' '))
  for (const name of variables) knownSecrets.add(environment[name] ?? '', name)
  validated('dialect', { extraHeaders }, value, locate)
  return {
    ...dialect,
    extraHeaders,
    secrets: Object.fromEntries(variables.map((name) => [name, environment[name] ?? ''])),
  }
}

/** The value, which matches its schema. Errors quote the text of the file, because a value of the environment may be a secret. */
function validated(
  schema: 'config' | 'dialect',
  value: unknown,
  raw: unknown,
  locate: Locate,
): unknown {
  const validate = validatorOf(schema)
  if (validate(value)) return value
  return refuseInvalid(validate.errors ?? [], raw, locate)
}

/** Throws `UsageError` for a provider or a dialect that cannot be loaded. */
function checkFiles({ target, provider }: WrittenConfig, folder: string, locate: Locate) {
  if (typeof provider === 'string' && /^(?!https?:)[a-z][a-z\d+.-]+:\/\//i.test(provider)) {
    const shown = withoutCredentials(provider)
    refuse(
      locate,
      ['provider'],
      `provider is "${shown}": an http(s) URL or the path of a JavaScript module is accepted`,
    )
  }
  if (target?.dialect === undefined) return
  const problem = fileProblem(resolve(folder, target.dialect))
  if (problem !== undefined)
    refuse(locate, ['target', 'dialect'], `target.dialect is "${target.dialect}": ${problem}`)
}

/** Throws `UsageError` for two targets, and for addresses with a port that does not exist. */
function checkAddresses({ target, provider }: Config, locate: Locate) {
  if (target.reference && target.baseUrl !== undefined) {
    const sentence =
      'target.reference is true and target.baseUrl is set; a run judges one of the two'
    refuse(locate, ['target', 'reference'], sentence)
  }
  for (const [name, url] of Object.entries({ 'target.baseUrl': target.baseUrl, provider })) {
    if (url === undefined || !/^https?:/.test(url) || isReachable(url)) continue
    const sentence = `${name} is "${withoutCredentials(url)}": no connection can be made to it`
    refuse(locate, name.split('.'), `${sentence}; a port from 1 to 65535 is accepted`)
  }
}

/** The written configuration with the defaults, with its dialect and with absolute file names. */
function complete(written: WrittenConfig, folder: string, environment: NodeJS.ProcessEnv) {
  const { target: { dialect, ...target } = {}, suites, provider: source, ...rest } = written
  const { url: provider, start: providerStart } =
    typeof source === 'object' ? source : { url: source }
  const sections = {
    ...structuredClone(defaults),
    ...rest,
    ...defined({ provider, providerStart }),
    target,
  }
  const stated = Object.entries(sections).map(([name, value]) => {
    const usual: unknown = defaults[name as keyof Config]
    return [name, isObject(usual) ? { ...usual, ...(value as object) } : value]
  })
  const config: Config = Object.fromEntries(stated)
  Object.assign(
    config.limits,
    Object.fromEntries(
      Object.entries(config.limits).map(([name, limit]) => [name, inBytes(limit)]),
    ),
  )
  // `80%` and `80` are 80.
  config.gate.minJudged = Number(String(config.gate.minJudged).replace('%', ''))
  if (suites !== undefined) config.suites = suiteFiles([suites].flat(), folder)
  if (dialect !== undefined)
    applyDialect(config, loadDialect(resolve(folder, dialect), environment))
  if (config.provider !== undefined && !/^https?:\/\//.test(config.provider))
    config.provider = resolve(folder, config.provider)
  return config
}

/** Adds the dialect, and its base URL if the configuration has none. Translates the permissions into the document's words. */
function applyDialect(config: Config, dialect: DialectFile) {
  const baseUrl = config.target.baseUrl ?? Object.values(dialect.baseUrls ?? {}).at(-1)
  config.target = { ...config.target, dialect, ...(baseUrl === undefined ? {} : { baseUrl }) }
  config.tokens = config.tokens.map((token) => inDocumentWords(token, dialect))
  const { token } = config.needs
  if (token !== undefined)
    config.needs = {
      ...config.needs,
      token: [token].flat().map((each) => inDocumentWords(each, dialect)),
    }
}

function inDocumentWords<Token>(token: Token, { permissions: names = {} }: DialectFile) {
  const { permissions } = token as { permissions?: Permissions }
  const slugs = new Map(Object.entries(names).map(([slug, wire]) => [wire, slug]))
  if (permissions === undefined || slugs.size === 0) return token
  return {
    ...token,
    permissions: renamedCategories(permissions, (wire) => slugs.get(wire) ?? wire),
  }
}

/** `8GiB` or `512 KB` in bytes; any other value as it is. */
function inBytes(value: unknown) {
  const [, amount, prefix = '', binary] =
    /^([0-9.]+) ?(?:([KMGT])(i)?)?B$/.exec(String(value)) ?? []
  return amount === undefined
    ? value
    : Number(amount) * (binary ? 1024 : 1000) ** ' KMGT'.indexOf(prefix || ' ')
}

/** The names in `${NAME}`. */
const variablesIn = (text: string) => [...text.matchAll(variable)].map(([, name]) => name as string)

/** The variable that is the whole of a text: `NAME` for `${NAME}`. */
function soleVariable(text: unknown) {
  const [name] = typeof text === 'string' ? variablesIn(text) : []
  return text === `\${${name}}` ? name : undefined
}

/** A value with every `${NAME}` of its texts replaced from the environment. Throws `UsageError` for a variable that is not set. */
function substitute(
  value: unknown,
  environment: NodeJS.ProcessEnv,
  locate: Locate,
  path: Path = [],
): unknown {
  const within = (member: unknown, step: string | number) =>
    substitute(member, environment, locate, [...path, step])
  if (typeof value === 'string') return substituted(value, environment, locate, path)
  if (Array.isArray(value)) return value.map(within)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, within(member, key)]),
  )
}

function substituted(text: string, environment: NodeJS.ProcessEnv, locate: Locate, path: Path) {
  const name = path.join('.')
  if (/\$\{(?![A-Za-z_][A-Za-z0-9_]*\})/.test(text))
    refuse(locate, path, `${name} contains "\${" that names no variable; \${NAME} is accepted`)
  return text.replace(variable, (written, key: string) => {
    const others = Object.keys(environment).filter(
      (other) => environment[other] && other.toUpperCase() === key.toUpperCase(),
    )
    const hint = didYouMean(key, others)
    const sentence = `the environment variable ${key} is not set${hint} (written as ${written} at ${name})`
    return environment[key] || refuse(locate, path, sentence)
  })
}
