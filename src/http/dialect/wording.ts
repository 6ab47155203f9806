import { templates } from '../../spec/addresses.ts'
import { headerNames } from '../../spec/words.ts'
import type { DialectFile } from './dialect-file.ts'
import type { FieldNames } from './field-names.ts'

/** A quoted JSON text, with the colon of a member's name; a quoted word; a pointer's step; a word; a path. */
const tokens = /"((?:[^"\\]|\\.)*)"(\s*:)?|'([\w-]+)'|(?<![\w:/.\]])\/[\w{}/-]*|[A-Za-z_][\w-]*(?:\[\])?=?/g

/**
 * Sentences about the document's words, with the target's in their place and the document's in brackets behind. Texts that come
 * from the target stay as they are, except for the names of members. An ordinary word such as `all` or `type` is only taken for
 * a name where it is written as one: quoted, in a pointer, before an equals sign or as a member.
 */
export class Wording {
  readonly #fields: FieldNames
  readonly #names: ReadonlyMap<string, string>
  readonly #queries: Readonly<Record<string, string>>
  readonly #paths: ReadonlyMap<string, string>
  readonly #isEmpty: boolean

  constructor(file: DialectFile, fields: FieldNames) {
    this.#fields = fields
    this.#queries = file.queryParameters ?? {}
    this.#names = new Map([
      ...Object.entries(file.permissions ?? {}),
      ...Object.entries(this.#queries),
      ...Object.entries(headersOf(file)),
    ])
    this.#paths = new Map(templates.map(({ path }) => [path, pathOf(path, file)]))
    const empty = [...this.#paths].every(([neutral, wire]) => neutral === wire)
    this.#isEmpty = empty && this.#names.size === 0 && file.fields === undefined && file.objects === undefined
  }

  /** The sentence in the target's words; `kind` is the kind of object that it is about. */
  sentence(text: string, kind?: string): string {
    if (this.#isEmpty) return text
    return text.replace(tokens, (token, quoted?: string, colon?: string, single?: string) => {
      if (quoted !== undefined) return colon === undefined ? token : `"${this.#field(quoted, kind) ?? quoted}"${colon}`
      if (single !== undefined) return bracketed(single, this.#field(single, kind) ?? this.#names.get(single), "'")
      if (token.startsWith('/')) return bracketed(token, this.#path(token) ?? this.#pointer(token, kind))
      return this.#word(token, kind)
    })
  }

  #word(token: string, kind: string | undefined): string {
    const [, word = token, rest = ''] = /^(.*?)((?:\[\])?=?)$/.exec(token) ?? []
    if (rest.endsWith('=')) return Object.hasOwn(this.#queries, word) ? `${this.#queries[word]}${rest}` : token
    const header = [...this.#names.keys()].find((name) => name.includes('-') && name.toLowerCase() === word.toLowerCase())
    // Without an underscore or hyphen it is an ordinary word of the sentence.
    const wire = /[_-]/.test(word) ? (this.#names.get(header ?? word) ?? this.#field(word, kind)) : undefined
    return bracketed(token, wire)
  }

  #path(token: string): string | undefined {
    const wire = this.#paths.get(token)
    return wire === token ? undefined : wire
  }

  /** A pointer whose steps are fields; nothing where none has another name. */
  #pointer(token: string, kind: string | undefined): string | undefined {
    const wire = token
      .split('/')
      .map((step) => this.#field(step, kind) ?? step)
      .join('/')
    return wire === token ? undefined : wire
  }

  /** The target's name of a field: in objects of the kind, else in whichever objects have another name for it. */
  #field(name: string, kind: string | undefined): string | undefined {
    const names = kind === undefined ? this.#fields.wireNames(name) : [this.#fields.wireName(name, kind)]
    return names.length === 0 || names[0] === name ? undefined : names.join(' or ')
  }
}

function bracketed(neutral: string, wire: string | undefined, quote = ''): string {
  return wire === undefined || wire === neutral ? `${quote}${neutral}${quote}` : `${quote}${wire}${quote} [${neutral}]`
}

function headersOf({ headers = {} }: DialectFile): Record<string, string> {
  const full: Readonly<Record<string, string | undefined>> = { version: headerNames[0], permissions: headerNames[1] }
  return Object.fromEntries(Object.entries(headers).map(([name, wire]) => [full[name] ?? name, wire]))
}

function pathOf(path: string, { paths = {}, pathWords = {} }: DialectFile): string {
  const segments = path.split('/').map((segment) => (Object.hasOwn(pathWords, segment) ? pathWords[segment] : segment))
  return paths[path] ?? segments.join('/')
}
