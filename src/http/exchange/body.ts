import { createHash } from 'node:crypto'
import type { HeaderLine } from '../../record/exchange-record.ts'
import { parseJson } from './json-budget.ts'
import { NoAnswer } from './no-answer.ts'

/** The largest body that is read where no other limit is configured. Bytes. */
export const defaultBodyLimit = 16 * 1024 * 1024

/** The most bytes of bodies that a {@link BodyCache} keeps; the oldest ones are removed first. */
const cachedBytes = 64 * 1024 * 1024

/** A received body, parsed at most once for each kind of object. */
export class Body {
  readonly bytes: Buffer
  /** SHA-256, hexadecimal. */
  readonly hash: string
  #sent: { readonly value: unknown } | undefined
  readonly #translated = new Map<string | undefined, unknown>()

  constructor(bytes: Buffer, hash = hashOf(bytes)) {
    this.bytes = bytes
    this.hash = hash
  }

  /** The body as JSON in the target's words; undefined for other bodies. */
  get sent(): unknown {
    this.#sent ??= { value: parseJson(this.bytes) }
    return this.#sent.value
  }

  /** The body as JSON in the document's words, as `translate` writes it for an object of the kind. */
  json(kind: string | undefined, translate: (value: unknown, kind?: string) => unknown): unknown {
    if (!this.#translated.has(kind)) this.#translated.set(kind, translate(this.sent, kind))
    return this.#translated.get(kind)
  }
}

/** Many responses of a run have equal bodies. The cache stores and parses each of them once. */
export class BodyCache {
  readonly #bodies = new Map<string, Body>()
  #bytes = 0

  /** The body with these bytes: a known one, or a new one. */
  of(bytes: Buffer): Body {
    const hash = hashOf(bytes)
    const known = this.#bodies.get(hash)
    if (known) return known
    const body = new Body(bytes, hash)
    this.#bodies.set(hash, body)
    this.#bytes += bytes.length
    for (const [oldest, { bytes: old }] of this.#bodies) {
      if (this.#bytes <= cachedBytes) break
      this.#bodies.delete(oldest)
      this.#bytes -= old.length
    }
    return body
  }
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Collects the pieces of a body and refuses one that is longer than `limit` bytes. */
export class BodyCollector {
  readonly #limit: number
  readonly #chunks: Buffer[] = []
  #length = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Throws {@link NoAnswer} where the Content-Length is already above the limit, so that such a body is never read. */
  expect(headers: readonly HeaderLine[]): void {
    const stated = headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1]
    this.#refuseAbove(Number(stated ?? 0))
  }

  /** Throws {@link NoAnswer} when the body has become too long. */
  add(chunk: Buffer): void {
    this.#length += chunk.length
    this.#refuseAbove(this.#length)
    this.#chunks.push(chunk)
  }

  get bytes(): Buffer {
    const [first] = this.#chunks
    return first && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks)
  }

  #refuseAbove(length: number): void {
    if (length > this.#limit) throw new NoAnswer(`the body is longer than ${this.#limit} bytes`, { final: true })
  }
}
