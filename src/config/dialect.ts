import { Dialect, type DialectFile, headerOf } from '../http/dialect/dialect.ts'
import { templates } from '../spec/addresses.ts'
import { pathParameters } from '../spec/endpoints.ts'
import { membersOf, objectKinds } from '../spec/object-kinds.ts'
import type { ApiVersion } from '../spec/versions.ts'
import { categorySlugs, fieldNames, headerNames, queryParameterNames } from '../spec/words.ts'
import { guess, UsageError } from '../text/errors.ts'
import type { Config, ReachableConfig } from './config.ts'
import type { Locate } from './contradictions.ts'

/** A target at a base URL that the command line names: it takes the place of the dialect's base URLs too. */
export function atOneAddress(target: Config['target'], baseUrl: string): ReachableConfig['target'] {
  const { dialect, ...rest } = target
  if (dialect === undefined) return { ...rest, baseUrl }
  const { baseUrls: _, ...words } = dialect
  return { ...rest, baseUrl, dialect: words }
}

/** The address of a version: the one that the dialect states for it, or that of all versions. */
export function baseUrlOf({ baseUrl, dialect }: ReachableConfig['target'], version: ApiVersion): string {
  return dialect?.baseUrls?.[version] ?? baseUrl
}

type Names = Readonly<Record<string, string>>

/**
 * Refuses a dialect that names a word that the document does not have, that would make two words the same on the wire, in which
 * case answers could not be told apart, or that contradicts itself. Throws {@link UsageError}, which names file and line.
 */
export function checkDialect(dialect: DialectFile, locate: Locate): void {
  checkWords(dialect, locate)
  checkObjects(dialect, locate)
  checkPaths(dialect, locate)
  checkVersions(dialect, locate)
  checkAuthorization(dialect, locate)
  checkExtraHeaders(dialect, locate)
}

const segments = [...new Set(templates.flatMap(({ path }) => path.split('/')))].filter(
  (word) => word !== '' && !word.startsWith('{'),
)

/** The parts that map words of one list, with all words of the list: one that keeps its name is on the wire as well. */
function checkWords(dialect: DialectFile, locate: Locate): void {
  const headers = ['version', 'permissions', ...headerNames]
  checkPart(dialect.headers, ['headers'], headers, headerNames, locate, headerOf)
  checkPart(dialect.queryParameters, ['queryParameters'], queryParameterNames, queryParameterNames, locate)
  checkPart(dialect.permissions, ['permissions'], categorySlugs, categorySlugs, locate)
  checkPart(dialect.pathWords, ['pathWords'], segments, [], locate)
  checkPart(dialect.fields, ['fields'], fieldNames, [], locate)
}

function checkPart(
  names: Names = {},
  part: readonly string[],
  known: readonly string[],
  together: readonly string[],
  locate: Locate,
  full: (name: string) => string = (name) => name,
): void {
  const lower = known.map((word) => word.toLowerCase())
  for (const name of Object.keys(names)) {
    if (!(part[0] === 'headers' ? lower.includes(name.toLowerCase()) : known.includes(name)))
      throw unknownWord(name, part, known, locate)
  }
  const whole = Object.fromEntries(Object.entries(names).map(([name, wire]) => [full(name), wire]))
  const kept = together.filter((word) => !Object.keys(whole).some((name) => name.toLowerCase() === word.toLowerCase()))
  checkClash(names, kept, part, locate)
}

function unknownWord(name: string, part: readonly string[], known: readonly string[], locate: Locate): UsageError {
  const hint = guess(name, known) || '; docs/dialect.md says which words each key accepts'
  return new UsageError(
    `${locate([...part, name])}: ${part.join('.')} names "${name}", a word that the document does not have${hint}`,
  )
}

/** Two words that would be one on the wire; `kept` are those beside them that keep the document's name. */
function checkClash(names: Names, kept: readonly string[], part: readonly string[], locate: Locate): void {
  const seen = new Map<string, string>()
  for (const [neutral, wire] of Object.entries(names)) {
    const renamed = wire !== neutral && Object.hasOwn(names, wire) ? wire : undefined
    const other = seen.get(wire.toLowerCase()) ?? renamed ?? kept.find((word) => word.toLowerCase() === wire.toLowerCase())
    if (other !== undefined && other !== neutral) throw clash(part, neutral, other, wire, locate)
    seen.set(wire.toLowerCase(), neutral)
  }
}

function clash(part: readonly string[], neutral: string, other: string, wire: string, locate: Locate): UsageError {
  const where = locate([...part, neutral])
  return new UsageError(`${where}: ${part.join('.')} clash: "${neutral}" and "${other}" would both be "${wire}" on the wire`)
}

/** The fields of one kind of object, with those that the document lists for it beside them. */
function checkObjects({ fields = {}, objects = {} }: DialectFile, locate: Locate): void {
  for (const kind of Object.keys(objects)) {
    if (!objectKinds.includes(kind)) throw unknownWord(kind, ['objects'], objectKinds, locate)
    checkPart(objects[kind], ['objects', kind], membersOf(kind), [], locate)
  }
  for (const kind of objectKinds) {
    const members = membersOf(kind)
    const effective = Object.fromEntries(
      Object.entries({ ...fields, ...objects[kind] }).filter(([name]) => members.includes(name)),
    )
    const kept = members.filter((name) => !Object.hasOwn(effective, name))
    const [first] = Object.keys(effective).filter((name) => Object.hasOwn(objects[kind] ?? {}, name))
    checkClash(effective, kept, first === undefined ? ['fields'] : ['objects', kind], locate)
  }
}

/** Whole templates: known, with the same parameters, and no two addresses of one method the same on the wire. */
function checkPaths(dialect: DialectFile, locate: Locate): void {
  const known = [...new Set(templates.map(({ path }) => path))]
  for (const [path, wire] of Object.entries(dialect.paths ?? {})) {
    if (!known.includes(path)) throw unknownWord(path, ['paths'], known, locate)
    const [wanted, given] = [path, wire].map((template) => pathParameters(template).sort().join(', '))
    if (wanted !== given)
      throw new UsageError(
        `${locate(['paths', path])}: paths."${path}" is "${wire}", which must have the parameters ${wanted || '(none)'}`,
      )
  }
  const spelled = new Dialect(dialect)
  const shapeOf = (template: string) => template.replace(/\{[^}]+\}/g, '{}').toLowerCase()
  const seen = new Map<string, string>()
  for (const { method, path } of templates) {
    const shape = `${method} ${shapeOf(spelled.template(path))}`
    const other = seen.get(shape)
    if (other !== undefined && shapeOf(other) !== shapeOf(path)) {
      const [part, neutral] = Object.hasOwn(dialect.paths ?? {}, path) ? ['paths', path] : ['pathWords', path]
      throw clash([part], neutral, other, spelled.template(path), locate)
    }
    seen.set(shape, path)
  }
}

function checkVersions({ version = {}, baseUrls = {}, accept }: DialectFile, locate: Locate): void {
  const { send = 'header', parameter, prefix, names = {} } = version
  if (parameter !== undefined && send !== 'media-type')
    throw needsSend('parameter', 'media-type', locate(['version', 'parameter']))
  if (prefix !== undefined && send !== 'path') throw needsSend('prefix', 'path', locate(['version', 'prefix']))
  if (accept?.includes('{version}') && send !== 'media-type')
    throw new UsageError(`${locate(['accept'])}: accept is "${accept}"; {version} in it needs version.send: media-type`)
  const urls = Object.values(baseUrls)
  if (new Set(urls).size > 1) return
  checkClash(names, [], ['version', 'names'], locate)
}

function needsSend(key: string, send: string, where: string): UsageError {
  return new UsageError(`${where}: version.${key} is given, but has an effect only with version.send: ${send}`)
}

function checkAuthorization({ authorization = {}, queryParameters = {} }: DialectFile, locate: Locate): void {
  const { query, header, scheme, user } = authorization
  const where = locate(['authorization'])
  if (query !== undefined && (header !== undefined || scheme !== undefined))
    throw new UsageError(
      `${where}: authorization has query and ${header === undefined ? 'scheme' : 'header'}; a token is sent in one place`,
    )
  if (user !== undefined && scheme?.toLowerCase() !== 'basic')
    throw new UsageError(`${where}: authorization.user is given, but has an effect only with scheme: Basic`)
  const taken = queryParameterNames.find((name) => (queryParameters[name] ?? name) === query)
  if (taken !== undefined) throw clash(['authorization'], 'query', taken, query ?? '', locate)
}

/** The headers that a request has anyway. */
const ownHeaders = ['Accept', 'User-Agent', 'Content-Type', 'Content-Length', 'Host', 'If-None-Match', 'If-Modified-Since']

function checkExtraHeaders(dialect: DialectFile, locate: Locate): void {
  const { extraHeaders = {}, authorization = {} } = dialect
  const credential = authorization.query === undefined ? [authorization.header ?? 'Authorization'] : []
  const taken = [...ownHeaders, ...credential, new Dialect(dialect).versionHeader].map((name) => name.toLowerCase())
  const name = Object.keys(extraHeaders).find((header) => taken.includes(header.toLowerCase()))
  if (name !== undefined)
    throw new UsageError(`${locate(['extraHeaders', name])}: extraHeaders clash: the suite sends ${name} itself`)
}
