import { permissionsHeader, versionHeader } from '../../spec/words/words.ts'
import type { Caller } from '../exchange/caller.ts'
import type { Vocabulary } from '../exchange/exchange.ts'
import type { EndpointRef } from '../exchange/request-spec.ts'
import { type Credential, credentialOf } from './authorization.ts'
import type { DialectFile, Names } from './dialect-file.ts'
import { FieldNames } from './field-names.ts'

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
    this.#headers = new Map(Object.entries(file.headers ?? {}).map(([name, wire]) => [fullName(name).toLowerCase(), wire]))
    this.#permissions = new Map(Object.entries(file.permissions ?? {}))
  }

  /** The wire's name of a header that is named in the document's words. */
  headerName(neutral: string): string {
    return this.#headers.get(neutral.toLowerCase()) ?? neutral
  }

  /** The version header's name on the wire. */
  get versionHeader(): string {
    return this.headerName(versionHeader)
  }

  /** A header's value in the document's words; only the permissions header contains such words. */
  headerValue(neutral: string, value: string): string {
    if (neutral.toLowerCase() !== permissionsHeader.toLowerCase() || this.#permissions.size === 0) return value
    const slugs = new Map([...this.#permissions].map(([slug, wire]) => [wire, slug]))
    return value.replace(/[A-Za-z0-9_-]+/g, (word) => slugs.get(word) ?? word)
  }

  /** The target's name of a version. */
  versionName(version: string): string {
    return this.#file.version?.names?.[version] ?? version
  }

  /** The base URL of a version: its own, or the common one. */
  baseUrl(version: string | null, common: string): string {
    return (version === null ? undefined : this.#file.baseUrls?.[version]) ?? common
  }

  /** True for an address on one of the target's origins. */
  isTarget(url: string, common: string): boolean {
    const origins = [common, ...Object.values(this.#file.baseUrls ?? {})].map((base) => new URL(base).origin)
    return origins.includes(new URL(url).origin)
  }

  /** A path template on the wire: the target's whole template, or the document's with its words replaced segment by segment. */
  template(path: string): string {
    const { paths = {}, pathWords = {} } = this.#file
    const spelled = (segment: string) => (Object.hasOwn(pathWords, segment) ? pathWords[segment] : segment)
    return paths[path] ?? path.split('/').map(spelled).join('/')
  }

  /** The wire's name of a query parameter; the brackets of `exclude[]` are part of its syntax. */
  queryName(neutral: string): string {
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
export function fullName(name: string): string {
  return name === 'version' ? versionHeader : name === 'permissions' ? permissionsHeader : name
}

/** The same permissions with other names of the categories. */
export function renamedCategories<Given extends object>(permissions: Given, rename: (slug: string) => string): Given {
  const pairsOf = (categories: Names) => Object.entries(categories).map(([slug, access]) => [rename(slug), access])
  const owners: [string, Names][] = Object.entries(permissions)
  return Object.fromEntries(owners.map(([owner, categories]) => [owner, Object.fromEntries(pairsOf(categories))])) as Given
}
