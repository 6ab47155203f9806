import { hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliDecompress, deflateRawSync, gunzip, inflate, inflateRawSync } from 'node:zlib'
import type { HeaderLine } from '../../record/exchange-record.ts'
import { show } from '../../text/format.ts'
import { NoResponse } from './no-response.ts'

/** A map that drops the least recently used entries beyond a total size. The latest entry and entries of size 0 stay. */
export class LruCache<Value> {
  readonly #limit: number
  readonly #entries = new Map<string, { readonly value: Value; readonly size: number }>()
  #size = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** The value of a key, which then counts as the latest used one; undefined for an unknown key. */
  get(key: string) {
    const entry = this.#entries.get(key)
    if (entry && this.#entries.delete(key)) this.#entries.set(key, entry)
    return entry?.value
  }

  /** Adds a value, or replaces one with another size. */
  set(key: string, value: Value, size: number) {
    this.#size += size - (this.#entries.get(key)?.size ?? 0)
    this.#entries.delete(key)
    this.#entries.set(key, { value, size })
    for (const [oldest, entry] of this.#entries) {
      if (this.#size <= this.#limit || oldest === key) return
      if (entry.size === 0) continue
      this.#entries.delete(oldest)
      this.#size -= entry.size
    }
  }

  /** Removes all entries. */
  clear() {
    this.#entries.clear()
    this.#size = 0
  }
}

/** The largest body that is read, unless the configuration states another limit. Bytes. */
export const defaultBodyLimit = 8 * 1024 * 1024

/** The parsed values that were used last, by the hash of their body. */
const parsed = new LruCache<{ readonly value: unknown }>(1536 * 1024)

/** From this length on, received bytes are kept compressed, because JSON then takes about a tenth of the memory. Bytes. */
const packedFrom = 8 * 1024

/** Received bytes, compressed if they are many. */
export class KeptBytes {
  readonly length: number
  readonly #kept: Buffer

  constructor(bytes: Buffer) {
    this.length = bytes.length
    // A small part of a buffer would keep the whole buffer in memory, often 64 KiB, so it is copied.
    const packed = bytes.length < packedFrom ? bytes : deflateRawSync(bytes, { level: 1 })
    const kept = packed.length < bytes.length ? packed : bytes
    this.#kept = kept.buffer.byteLength > 2 * kept.length ? Buffer.from(kept) : kept
  }

  /** The bytes as they were received. Compressed ones are a new copy. */
  get bytes() {
    // In smaller chunks, the result would be joined and take twice the memory. A full chunk would be followed by an empty one.
    return this.#kept.length < this.length
      ? inflateRawSync(this.#kept, { chunkSize: this.length + 1 })
      : this.#kept
  }
}

/** A received body. It is parsed again when many others were used since. */
export class Body extends KeptBytes {
  /** SHA-256, hexadecimal. */
  readonly hash: string
  #weight: number | string | undefined
  #list: { readonly count: number | undefined } | undefined

  constructor(bytes: Buffer, digest = hash('sha256', bytes)) {
    super(bytes)
    this.hash = digest
  }

  /** The body as JSON in the target's words; undefined for other bodies. */
  get wireJson(): unknown {
    const known = parsed.get(this.hash)
    if (known) return known.value
    const { bytes } = this
    this.#weight ??= weightOf(bytes)
    const value = typeof this.#weight === 'number' ? parseJson(bytes) : undefined
    parsed.set(this.hash, { value }, this.weight)
    return value
  }

  /** The memory that the parsed body takes. Bytes. */
  get weight() {
    return typeof this.#weight === 'number' ? this.#weight : this.length
  }

  /** The number of items of a JSON array; undefined for another body. It is found once. */
  get count() {
    this.#list ??= { count: Array.isArray(this.wireJson) ? this.wireJson.length : undefined }
    return this.#list.count
  }
}

/** Many responses of a run have equal bodies. The cache stores and parses equal bodies once, and counts the bytes of all. */
export class BodyCache {
  /** The bodies that were received last, at most so many bytes. */
  readonly #bodies = new LruCache<Body>(32 * 1024 * 1024)
  /** The length of all bodies received so far, without archives. */
  received = 0

  /** The body with these bytes: a known one, or a new one. */
  of(bytes: Buffer) {
    this.received += bytes.length
    const digest = hash('sha256', bytes)
    const body = this.#bodies.get(digest) ?? new Body(bytes, digest)
    this.#bodies.set(digest, body, bytes.length)
    return body
  }
}

/** Reads a body of at most `limit` bytes. Throws {@link NoResponse} for a longer one and closes its connection. */
export async function collectBody(
  body: Readable,
  headers: readonly HeaderLine[],
  limit: number,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  const refuseAbove = (bytes: number) => {
    if (bytes > limit)
      throw new NoResponse(`the body is longer than ${limit} bytes`, { final: true })
  }
  try {
    refuseAbove(Number(headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1] ?? 0))
    for await (const chunk of body as AsyncIterable<Buffer>) {
      length += chunk.length
      refuseAbove(length)
      chunks.push(chunk)
    }
  } finally {
    body.destroy()
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
}

const decoders = { gzip: gunzip, 'x-gzip': gunzip, deflate: inflate, br: brotliDecompress }

const mostCodings = 3

/** Removes the content codings of a body. Throws {@link NoResponse} if a coding is unknown or fails, or the result is longer than `limit` bytes. */
export async function decode(
  body: Buffer,
  headers: readonly HeaderLine[],
  limit: number,
): Promise<Buffer> {
  const lines = headers.filter(([name]) => name.toLowerCase() === 'content-encoding')
  const codings = lines
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((coding) => coding.trim())
  const applied = codings.filter((coding) => coding !== '' && coding !== 'identity').reverse()
  if (body.length === 0) return body
  if (applied.length > mostCodings)
    throw new NoResponse(`the body has ${applied.length} content codings`, { final: true })
  return applied.reduce(
    async (decoded, coding) => withoutCoding(coding, await decoded, limit),
    Promise.resolve(body),
  )
}

async function withoutCoding(coding: string, body: Buffer, limit: number) {
  const decoder = Object.hasOwn(decoders, coding)
    ? decoders[coding as keyof typeof decoders]
    : undefined
  // Some servers name the character set of plain JSON in Content-Encoding.
  if (!decoder && /^\s*[[{]/.test(body.subarray(0, 64).toString('latin1'))) return body
  if (!decoder)
    throw new NoResponse(`the body is in a content coding that is not known: ${show(coding)}`, {
      final: true,
    })
  try {
    return await promisify<Buffer, { maxOutputLength: number }, Buffer>(decoder)(body, {
      maxOutputLength: limit,
    })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ERR_BUFFER_TOO_LARGE')
      throw new NoResponse(`the body decodes to more than ${limit} bytes`, { final: true })
    throw new NoResponse(`the ${coding} body cannot be decoded`)
  }
}

/** The most nested levels and the most values of a JSON text that is parsed. */
const budget = { depth: 1000, values: 500_000 }

/** The memory of a parsed value beside its text, and of an item of the outermost list with its place and id. Bytes. */
const bytesOf = { value: 64, item: 512 }

/** Throws {@link NoResponse} for a body that looks like JSON and exceeds the budget. Such a body is never parsed. */
export function refuseOversizedJson(body: Buffer) {
  const isJson = /^\s*[{[]/.test(
    body.subarray(0, 64).toString('latin1').replace('\u00ef\u00bb\u00bf', ''),
  )
  const excess = isJson && weightOf(body)
  if (typeof excess === 'string') throw new NoResponse(`the JSON body ${excess}`, { final: true })
}

/** Parses a JSON text, with or without a byte order mark; undefined for other texts. */
export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8').replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}

/** The memory of a parsed JSON text in bytes, or a clause about the exceeded budget. Counts its brackets and commas outside strings. */
export function weightOf(body: Buffer): number | string {
  let depth = 0
  let values = 0
  let weight = body.length
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at]
    if (byte === quote) at = endOfString(body, at)
    else if (byte === closeBrace || byte === closeBracket) depth -= 1
    else if (byte === comma || byte === openBrace || byte === openBracket) {
      values += 1
      weight += byte === comma && depth === 1 ? bytesOf.item : bytesOf.value
      if (byte !== comma) depth += 1
      if (depth > budget.depth) return `nests deeper than ${budget.depth} levels`
      if (values > budget.values) return `has more than ${budget.values} values`
    }
  }
  return weight
}

/** The index of the quotation mark that closes the string at `start`; the length of the text if no other one follows. */
function endOfString(body: Buffer, start: number) {
  for (let end = body.indexOf(quote, start + 1); end >= 0; end = body.indexOf(quote, end + 1)) {
    let before = end
    while (body[before - 1] === backslash) before -= 1
    if ((end - before) % 2 === 0) return end
  }
  return body.length
}

const [quote = 0, backslash, comma, openBrace, closeBrace, openBracket, closeBracket] =
  Buffer.from('"\\,{}[]')
