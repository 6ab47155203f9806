import { Dialect, fullName } from '../http/dialect/dialect.ts'
import type { DialectFile, Names } from '../http/dialect/dialect-file.ts'
import { pathParameters } from '../spec/endpoints.ts'
import { templates } from '../spec/words/addresses.ts'
import { membersOf, objectKinds } from '../spec/words/object-kinds.ts'
import { categorySlugs, fieldNames, headerNames, queryParameterNames } from '../spec/words/words.ts'
import { didYouMean } from '../text/errors.ts'
import { type Locate, refuse } from './yaml-file.ts'

/** Throws `UsageError` for a dialect that contradicts itself, has an unknown word, or has one word for two on the wire. */
export function checkDialect(dialect: DialectFile, locate: Locate) {
  checkWords(dialect, locate)
  checkObjects(dialect, locate)
  checkPaths(dialect, locate)
  checkVersions(dialect, locate)
  checkAuthorization(dialect, locate)
  checkExtraHeaders(dialect, locate)
}

const segments = [...new Set(templates.flatMap(({ path }) => path.split('/')))].filter((word) =>
  /^[^{]/.test(word),
)

/** Checks the keys that map words of one list. A word that keeps its name is on the wire as well. */
function checkWords(dialect: DialectFile, locate: Locate) {
  const headers = Object.fromEntries(
    Object.entries(dialect.headers ?? {}).map(([name, wire]) => [fullName(name), wire]),
  )
  checkKnown(
    dialect.headers,
    ['headers'],
    ['version', 'permissions', ...headerNames],
    locate,
    lowerCase,
  )
  checkClash(dialect.headers, keptNames(headerNames, headers), ['headers'], locate)
  for (const [part, known] of [
    ['queryParameters', queryParameterNames],
    ['permissions', categorySlugs],
    ['pathWords', segments],
    ['fields', fieldNames],
  ] as const) {
    const appearTogether = part === 'queryParameters' || part === 'permissions'
    checkKnown(dialect[part], [part], known, locate)
    checkClash(dialect[part], appearTogether ? keptNames(known, dialect[part]) : [], [part], locate)
  }
}

const lowerCase = (word: string) => word.toLowerCase()

function checkKnown(
  names: object = {},
  part: readonly string[],
  known: readonly string[],
  locate: Locate,
  form = (word: string) => word,
) {
  const unknown = Object.keys(names).find((name) => !known.map(form).includes(form(name)))
  if (unknown === undefined) return
  const hint = didYouMean(unknown, known) || '; docs/dialect.md says which words each key accepts'
  refuse(
    locate,
    [...part, unknown],
    `${part.join('.')} names "${unknown}", a word that the document does not have${hint}`,
  )
}

/** The words of a list that keep the document's name. */
function keptNames(words: readonly string[], names: Names = {}) {
  const renamed = Object.keys(names).map(lowerCase)
  return words.filter((word) => !renamed.includes(lowerCase(word)))
}

/** Throws if two words of the document would have the same word on the wire. `kept` are further words, which are not renamed. */
function checkClash(
  names: Names = {},
  kept: readonly string[],
  part: readonly string[],
  locate: Locate,
) {
  const seen = new Map(kept.map((word) => [lowerCase(word), word]))
  for (const [neutral, wire] of Object.entries(names)) {
    const renamed = wire !== neutral && Object.hasOwn(names, wire) ? wire : undefined
    const other = seen.get(lowerCase(wire)) ?? renamed
    if (other !== undefined && other !== neutral) refuseClash(part, neutral, other, wire, locate)
    seen.set(lowerCase(wire), neutral)
  }
}

function refuseClash(
  part: readonly string[],
  neutral: string,
  other: string,
  wire: string,
  locate: Locate,
) {
  const words = `"${neutral}" and "${other}" would both be "${wire}" on the wire`
  return refuse(locate, [...part, neutral], `${part.join('.')} clash: ${words}`)
}

/** Checks the fields of one kind of object together with the other fields of that kind. */
function checkObjects({ fields = {}, objects = {} }: DialectFile, locate: Locate) {
  checkKnown(objects, ['objects'], objectKinds, locate)
  for (const kind of objectKinds) {
    const members = membersOf(kind)
    const own = objects[kind] ?? {}
    checkKnown(own, ['objects', kind], members, locate)
    const effective = Object.fromEntries(
      Object.entries({ ...fields, ...own }).filter(([name]) => members.includes(name)),
    )
    checkClash(
      effective,
      keptNames(members, effective),
      Object.keys(own).length === 0 ? ['fields'] : ['objects', kind],
      locate,
    )
  }
}

/** Checks whole templates: known, with the same parameters, and no two addresses of one method the same on the wire. */
function checkPaths(dialect: DialectFile, locate: Locate) {
  checkKnown(dialect.paths, ['paths'], [...new Set(templates.map(({ path }) => path))], locate)
  for (const [path, wire] of Object.entries(dialect.paths ?? {})) {
    const [wanted, present] = [path, wire].map((template) =>
      pathParameters(template).sort().join(', '),
    )
    if (wanted !== present)
      refuse(
        locate,
        ['paths', path],
        `paths."${path}" is "${wire}", which must have the parameters ${wanted || '(none)'}`,
      )
  }
  const words = new Dialect(dialect)
  const shapeOf = (template: string) => lowerCase(template.replace(/\{[^}]+\}/g, '{}'))
  const seen = new Map<string, string>()
  for (const { method, path } of templates) {
    const shape = `${method} ${shapeOf(words.template(path))}`
    const other = seen.get(shape)
    if (other !== undefined && shapeOf(other) !== shapeOf(path))
      refuseClash(
        [Object.hasOwn(dialect.paths ?? {}, path) ? 'paths' : 'pathWords'],
        path,
        other,
        words.template(path),
        locate,
      )
    seen.set(shape, path)
  }
}

function checkVersions({ version = {}, baseUrls = {}, accept }: DialectFile, locate: Locate) {
  const { send = 'header', parameter, prefix, names } = version
  const without = (key: string, needed: string) =>
    refuse(
      locate,
      ['version', key],
      `version.${key} has an effect only with version.send: ${needed}`,
    )
  if (parameter !== undefined && send !== 'media-type') without('parameter', 'media-type')
  if (prefix !== undefined && send !== 'path') without('prefix', 'path')
  if (accept?.includes('{version}') && send !== 'media-type')
    refuse(
      locate,
      ['accept'],
      `accept is "${accept}"; {version} in it needs version.send: media-type`,
    )
  if (new Set(Object.values(baseUrls)).size <= 1)
    checkClash(names, [], ['version', 'names'], locate)
}

function checkAuthorization(
  { authorization = {}, queryParameters = {} }: DialectFile,
  locate: Locate,
) {
  const { query, header, scheme, user } = authorization
  if (query !== undefined && (header !== undefined || scheme !== undefined)) {
    const other = header === undefined ? 'scheme' : 'header'
    refuse(
      locate,
      ['authorization'],
      `authorization has query and ${other}; a token is sent in one place`,
    )
  }
  if (user !== undefined && scheme?.toLowerCase() !== 'basic')
    refuse(locate, ['authorization'], 'authorization.user has an effect only with scheme: Basic')
  const taken = queryParameterNames.find((name) => (queryParameters[name] ?? name) === query)
  if (taken !== undefined) refuseClash(['authorization'], 'query', taken, query ?? '', locate)
}

const clientHeaders = [
  'Accept',
  'User-Agent',
  'Content-Type',
  'Content-Length',
  'Host',
  'If-None-Match',
  'If-Modified-Since',
]

function checkExtraHeaders(dialect: DialectFile, locate: Locate) {
  const { extraHeaders = {}, authorization = {} } = dialect
  const credential =
    authorization.query === undefined ? [authorization.header ?? 'Authorization'] : []
  const taken = [...clientHeaders, ...credential, new Dialect(dialect).versionHeader].map(lowerCase)
  const name = Object.keys(extraHeaders).find((header) => taken.includes(lowerCase(header)))
  if (name !== undefined)
    refuse(locate, ['extraHeaders', name], `extraHeaders clash: the suite sends ${name} itself`)
}
