import { createHash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Dialect } from '../dialect/dialect.ts'
import { isLarge } from '../transport/large-bodies.ts'
import { isAffordable, weightOf } from './json-budget.ts'
import { RepeatedValues } from './repeated-values.ts'

/** A shorter body is not worth packing. Bytes. */
const worthPacking = 4 * 1024

/** Lists become 20 times smaller, in as little time as with any other level. */
const level = 3

/** The most bytes of bodies that are left as they came. */
const mostUnpacked = 4 * 1024 * 1024

type Made = { readonly value: unknown } | WeakRef<object>

/** What was made, unless nobody has held it. */
function stillMade(made: Made | undefined): { readonly value: unknown } | undefined {
  if (!(made instanceof WeakRef)) return made
  const value = made.deref()
  return value && { value }
}

/** The bytes of a body with what is made of them: many answers have the same. */
export class Body {
  readonly length: number
  /** What it takes while it is looked at. Bytes. */
  readonly weight: number
  readonly #repeated: RepeatedValues
  #bytes: Uint8Array
  #isPacked = false
  #hash: string | undefined
  #sent: Made | undefined
  readonly #byKind = new Map<string | undefined, Made>()

  /** `repeated` are the values that other bodies consist of. */
  constructor(bytes: Buffer, repeated = new RepeatedValues()) {
    this.length = bytes.length
    this.weight = weightOf(bytes)
    this.#bytes = bytes
    this.#repeated = repeated
  }

  /** The bytes as they came. */
  get bytes(): Buffer {
    return this.#isPacked ? inflateRawSync(this.#bytes, { chunkSize: this.length }) : (this.#bytes as Buffer)
  }

  /** Holds the bytes in little room: few bodies are looked at again once they were parsed. */
  pack(): void {
    if (this.#isPacked) return
    // A copy, since the packer hands out a part of a larger piece of memory.
    this.#bytes = new Uint8Array(deflateRawSync(this.#bytes, { level }))
    this.#isPacked = true
  }

  /** SHA-256, hexadecimal. */
  get hash(): string {
    this.#hash ??= createHash('sha256').update(this.bytes).digest('hex')
    return this.#hash
  }

  /** What the bytes are as JSON, in the target's words; undefined where they are not JSON. */
  get sent(): unknown {
    const known = stillMade(this.#sent)
    if (known) return known.value
    const made = this.#made(parseJson(this.bytes))
    this.#sent = made.held
    return made.value
  }

  /** The same in the document's words, for answers that are a kind of object. */
  json(dialect: Dialect, kind: string | undefined): unknown {
    const known = stillMade(this.#byKind.get(kind))
    if (known) return known.value
    const { sent } = this
    const neutral = dialect.toNeutral(sent, kind)
    const made = neutral === sent ? { value: sent, held: this.#sent } : this.#made(neutral)
    if (made.held) this.#byKind.set(kind, made.held)
    return made.value
  }

  /** What is made of a large body is held by whoever looks at it, and made again for the next one. */
  #made(value: unknown): { readonly value: unknown; readonly held: Made } {
    if (!isLarge(this.weight)) {
      const shared = this.#repeated.shared(value)
      return { value: shared, held: { value: shared } }
    }
    return { value, held: typeof value === 'object' && value !== null ? new WeakRef(value) : { value } }
  }
}

/** What answers consist of: bodies that came some time ago are packed, and parts that many have in common are held once. */
export class AnswerBodies {
  readonly repeated = new RepeatedValues()
  readonly #unpacked: Body[] = []
  #bytes = 0

  /** A body that has just come. */
  of(bytes: Buffer): Body {
    return new Body(bytes, this.repeated)
  }

  /** Notes that a body will be held. A large one is not: it takes long, and is let go where there is no room for it. */
  add(body: Body): void {
    if (body.length < worthPacking || isLarge(body.weight)) return
    this.#unpacked.push(body)
    this.#bytes += body.length
    while (this.#bytes > mostUnpacked) {
      const oldest = this.#unpacked.shift() as Body
      this.#bytes -= oldest.length
      oldest.pack()
    }
  }
}

function parseJson(body: Buffer): unknown {
  try {
    if (!isAffordable(body)) return undefined
    return JSON.parse(body.toString('utf8').replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}
