import { kindWithin } from '../../spec/words/object-kinds.ts'
import { escapeStep, stepsOf } from '../../text/data.ts'
import type { Names } from './dialect-file.ts'

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
    this.#byKind = new Map(Object.entries(objects).map(([kind, own]) => [kind, namesOf({ ...fields, ...own })]))
    this.#isEmpty = this.#everywhere.toWire.size === 0 && this.#byKind.size === 0
  }

  #wireName(field: string, kind?: string): string {
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
  wirePointer(pointer: string, sent: unknown, kind?: string): string {
    let at = sent
    let of = kind
    let path = ''
    for (const step of stepsOf(pointer)) {
      const parent: Readonly<Record<string, unknown>> = isNested(at) ? at : {}
      const wire = this.#wireName(step, of)
      const name = Array.isArray(at) || (!Object.hasOwn(parent, wire) && Object.hasOwn(parent, step)) ? step : wire
      const inner = parent[name]
      if (!Array.isArray(at) && isNested(inner)) of = kindWithin(of, step, parent[this.#wireName('type', of)])
      at = inner
      path += `/${escapeStep(name)}`
    }
    return path
  }

  #of(kind: string | undefined): BothWays {
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
      Object.defineProperty(renamed, name, { value: inner, enumerable: true, configurable: true, writable: true })
    }
    return renamed
  }
}

function namesOf(fields: Names): BothWays {
  const pairs = Object.entries(fields)
  return { toWire: new Map(pairs), toNeutral: new Map(pairs.map(([neutral, wire]) => [wire, neutral])) }
}

function isNested(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
