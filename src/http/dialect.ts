/** A target's own words, as its dialect file states them: neutral word → the wire's word. */
export interface DialectFile {
  readonly headers?: { readonly version?: string; readonly permissions?: string }
  /** The recommended media type's name on this target. */
  readonly mediaType?: string
  /** The whole Accept value to send, when it must differ from the media type. */
  readonly accept?: string
  readonly pathWords?: Readonly<Record<string, string>>
  readonly fields?: Readonly<Record<string, string>>
}

const neutralHeaders = { version: 'X-Service-Api-Version', permissions: 'X-Accepted-Service-Permissions' }
const neutralMediaType = 'application/vnd.service+json'

/** Translates between the document's neutral words and the target's, at the edge only. */
export class Dialect {
  readonly accept: string
  readonly mediaType: string
  readonly #headers: ReadonlyMap<string, string>
  readonly #pathWords: ReadonlyMap<string, string>
  readonly #toWire: ReadonlyMap<string, string>
  readonly #toNeutral: ReadonlyMap<string, string>

  constructor(file: DialectFile = {}) {
    this.mediaType = file.mediaType ?? neutralMediaType
    this.accept = file.accept ?? this.mediaType
    this.#headers = new Map([
      [neutralHeaders.version.toLowerCase(), file.headers?.version ?? neutralHeaders.version],
      [neutralHeaders.permissions.toLowerCase(), file.headers?.permissions ?? neutralHeaders.permissions],
    ])
    this.#pathWords = new Map(Object.entries(file.pathWords ?? {}))
    this.#toWire = new Map(Object.entries(file.fields ?? {}))
    this.#toNeutral = new Map([...this.#toWire].map(([neutral, wire]) => [wire, neutral]))
  }

  /** The wire's name of a header that is named in the document's words. */
  headerName(neutral: string): string {
    return this.#headers.get(neutral.toLowerCase()) ?? neutral
  }

  /** The version header's name on the wire. */
  get versionHeader(): string {
    return this.headerName(neutralHeaders.version)
  }

  /** A path template on the wire: path words replace whole segments, parameters stay. */
  template(path: string): string {
    return path
      .split('/')
      .map((segment) => this.#pathWords.get(segment) ?? segment)
      .join('/')
  }

  /** A JSON value as the target spells its fields. */
  toWire(value: unknown): unknown {
    return renameKeys(value, this.#toWire)
  }

  /** A JSON value from the target in the document's words. */
  toNeutral(value: unknown): unknown {
    return renameKeys(value, this.#toNeutral)
  }
}

function renameKeys(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (names.size === 0 || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => renameKeys(item, names))
  const renamed: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value)) {
    const name = names.get(key) ?? key
    if (name === key && Object.hasOwn(renamed, key)) continue
    Object.defineProperty(renamed, name, {
      value: renameKeys(member, names),
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return renamed
}
