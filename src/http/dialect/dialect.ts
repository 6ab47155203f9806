import type { HeaderLine } from '../../record/exchange-record.ts'
import { kindWithin } from '../../spec/words/object-kinds.ts'
import { permissionsHeader, versionHeader } from '../../spec/words/words.ts'
import { escapeStep, stepsOf } from '../../text/data.ts'
import type { Caller } from '../exchange/caller.ts'
import type { Vocabulary } from '../exchange/exchange.ts'
import type { EndpointRef } from '../exchange/request-spec.ts'
import type { DialectFile, Names } from './dialect-file.ts'

/** The names of the fields in objects of one kind, for both directions of the translation. */
interface BothWays {
  readonly toWire: ReadonlyMap<string, string>
  readonly toNeutral: ReadonlyMap<string, string>
}

/** The document's names of fields and the target's: everywhere, and by kind of object. */
export class FieldNames {
  readonly #everywhere: BothWays
  readonly #byKind: ReadonlyMap<string, BothWays>
  readonly #isEmpty: boolean

  constructor(fields: Names = {}, objects: Readonly<Record<string, Names>> = {}) {
    this.#everywhere = namesOf(fields)
    this.#byKind = new Map(
      Object.entries(objects).map(([kind, own]) => [kind, namesOf({ ...fields, ...own })]),
    )
    this.#isEmpty = this.#everywhere.toWire.size === 0 && this.#byKind.size === 0
  }

  #wireName(field: string, kind?: string) {
    return this.#of(kind).toWire.get(field) ?? field
  }

  /** A JSON value of a kind in the target's words. */
  toWire(value: unknown, kind?: string): unknown {
    return this.#isEmpty ? value : this.#renamed(value, kind, 'toWire')
  }

  /** A JSON value from the target in the document's words. */
  toNeutral(value: unknown, kind?: string): unknown {
    return this.#isEmpty ? value : this.#renamed(value, kind, 'toNeutral')
  }

  /** Translates a JSON pointer in the document's words into a pointer into the body that the target sent. */
  wirePointer(pointer: string, sent: unknown, kind?: string) {
    let at = sent
    let of = kind
    let path = ''
    for (const step of stepsOf(pointer)) {
      const parent: Readonly<Record<string, unknown>> = isNested(at) ? at : {}
      const wire = this.#wireName(step, of)
      const name =
        Array.isArray(at) || (!Object.hasOwn(parent, wire) && Object.hasOwn(parent, step))
          ? step
          : wire
      const inner = parent[name]
      if (!Array.isArray(at) && isNested(inner))
        of = kindWithin(of, step, parent[this.#wireName('type', of)])
      at = inner
      path += `/${escapeStep(name)}`
    }
    return path
  }

  #of(kind: string | undefined) {
    return (kind === undefined ? undefined : this.#byKind.get(kind)) ?? this.#everywhere
  }

  #renamed(value: unknown, kind: string | undefined, direction: keyof BothWays): unknown {
    if (!isNested(value)) return value
    if (Array.isArray(value)) return value.map((item) => this.#renamed(item, kind, direction))
    const names = this.#of(kind)[direction]
    const type = value[direction === 'toNeutral' ? this.#wireName('type', kind) : 'type']
    const renamed: Record<string, unknown> = {}
    for (const [key, member] of Object.entries(value)) {
      const name = names.get(key) ?? key
      if (name === key && Object.hasOwn(renamed, key)) continue
      const of = kindWithin(kind, direction === 'toNeutral' ? name : key, type)
      const inner = this.#renamed(member, of, direction)
      Object.defineProperty(renamed, name, {
        value: inner,
        enumerable: true,
        configurable: true,
        writable: true,
      })
    }
    return renamed
  }
}

function namesOf(fields: Names) {
  const pairs = Object.entries(fields)
  return {
    toWire: new Map(pairs),
    toNeutral: new Map(pairs.map(([neutral, wire]) => [wire, neutral])),
  }
}

function isNested(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** A caller's token as one request carries it, and as reports display it: by its name. */
export interface Credential {
  readonly place: 'header' | 'query'
  readonly line: HeaderLine
  readonly display: HeaderLine
  /** The text that reveals the secret. */
  readonly secret: string
}

/** The credential of a caller; none for a caller without a token. */
export function credentialOf(
  { secret, label }: Caller,
  file: DialectFile['authorization'] = {},
): Credential | undefined {
  if (secret === undefined) return undefined
  const name = `$${label}`
  if (file.query !== undefined)
    return { place: 'query', line: [file.query, secret], display: [file.query, name], secret }
  const header = file.header ?? 'Authorization'
  const scheme = file.scheme ?? (file.header === undefined ? 'Bearer' : '')
  const word = scheme === '' ? '' : `${scheme} `
  if (scheme.toLowerCase() !== 'basic')
    return {
      place: 'header',
      line: [header, word + secret],
      display: [header, word + name],
      secret,
    }
  const user = `${file.user ?? 'x-access-token'}:`
  const encoded = Buffer.from(user + secret).toString('base64')
  return {
    place: 'header',
    line: [header, word + encoded],
    display: [header, word + user + name],
    secret: encoded,
  }
}

const neutralMediaType = 'application/vnd.service+json'

/** Translates between the document's neutral words and the target's. Only this folder uses the target's words. */
export class Dialect extends FieldNames implements Vocabulary {
  readonly accept: string
  readonly mediaType: string
  /** How requests name a version. */
  readonly version: Required<Omit<NonNullable<DialectFile['version']>, 'names'>>
  /** The headers that every request to the target carries. */
  readonly extraHeaders: Names
  readonly #file: DialectFile
  readonly #onCredential: ((credential: string, label: string) => void) | undefined
  readonly #headers: ReadonlyMap<string, string>
  readonly #permissions: ReadonlyMap<string, string>

  /** `onCredential` receives each text that reveals a secret before it is sent, so that no output contains it. */
  constructor(file: DialectFile = {}, onCredential?: (credential: string, label: string) => void) {
    super(file.fields, file.objects)
    this.#file = file
    this.#onCredential = onCredential
    this.mediaType = file.mediaType ?? neutralMediaType
    this.accept = file.accept ?? this.mediaType
    this.version = { send: 'header', parameter: 'version', prefix: '/{version}', ...file.version }
    this.extraHeaders = file.extraHeaders ?? {}
    this.#headers = new Map(
      Object.entries(file.headers ?? {}).map(([name, wire]) => [
        fullName(name).toLowerCase(),
        wire,
      ]),
    )
    this.#permissions = new Map(Object.entries(file.permissions ?? {}))
  }

  /** The wire's name of a header that is named in the document's words. */
  headerName(neutral: string) {
    return this.#headers.get(neutral.toLowerCase()) ?? neutral
  }

  /** The version header's name on the wire. */
  get versionHeader() {
    return this.headerName(versionHeader)
  }

  /** A header's value in the document's words; only the permissions header contains such words. */
  headerValue(neutral: string, value: string) {
    if (neutral.toLowerCase() !== permissionsHeader.toLowerCase() || this.#permissions.size === 0)
      return value
    const slugs = new Map([...this.#permissions].map(([slug, wire]) => [wire, slug]))
    return value.replace(/[A-Za-z0-9_-]+/g, (word) => slugs.get(word) ?? word)
  }

  /** The target's name of a version. */
  versionName(version: string) {
    return this.#file.version?.names?.[version] ?? version
  }

  /** The base URL of a version: its own, or the common one. */
  baseUrl(version: string | null, common: string) {
    return (version === null ? undefined : this.#file.baseUrls?.[version]) ?? common
  }

  /** True for an address on one of the target's origins. */
  isTarget(url: string, common: string) {
    const origins = [common, ...Object.values(this.#file.baseUrls ?? {})].map(
      (base) => new URL(base).origin,
    )
    return origins.includes(new URL(url).origin)
  }

  /** A path template on the wire: the target's whole template, or the document's with its words replaced segment by segment. */
  template(path: string) {
    const { paths = {}, pathWords = {} } = this.#file
    const spelled = (segment: string) =>
      Object.hasOwn(pathWords, segment) ? pathWords[segment] : segment
    return paths[path] ?? path.split('/').map(spelled).join('/')
  }

  /** The wire's name of a query parameter; the brackets of `exclude[]` are part of its syntax. */
  queryName(neutral: string) {
    const [, name = neutral, brackets = ''] = /^(.*?)(\[\])?$/.exec(neutral) ?? []
    const names = this.#file.queryParameters ?? {}
    return Object.hasOwn(names, name) ? `${names[name]}${brackets}` : neutral
  }

  /** A caller's token as a request carries it; none for a caller without a token. */
  credential(caller: Caller): Credential | undefined {
    const credential = credentialOf(caller, this.#file.authorization)
    if (credential) this.#onCredential?.(credential.secret, caller.label)
    return credential
  }

  /** The request that proves that the target responds: an endpoint of the document, or the target's own path. */
  get probe(): EndpointRef {
    return { method: 'GET', path: (this.#file.probe ?? 'GET /events').replace(/^GET /, '') }
  }

  /** Permissions (owner kind → category → access) with the target's names of their categories. */
  permissionsToWire<Permissions extends object>(permissions: Permissions): Permissions {
    return renamedCategories(permissions, (slug) => this.#permissions.get(slug) ?? slug)
  }
}

/** The full name of a header that a dialect may abbreviate. */
export function fullName(name: string) {
  return name === 'version' ? versionHeader : name === 'permissions' ? permissionsHeader : name
}

/** The same permissions with other names of the categories. */
export function renamedCategories<Given extends object>(
  permissions: Given,
  rename: (slug: string) => string,
): Given {
  const pairsOf = (categories: Names) =>
    Object.entries(categories).map(([slug, access]) => [rename(slug), access])
  const owners: [string, Names][] = Object.entries(permissions)
  return Object.fromEntries(
    owners.map(([owner, categories]) => [owner, Object.fromEntries(pairsOf(categories))]),
  ) as Given
}
