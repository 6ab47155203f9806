import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import type { HeaderLine } from '../../record/exchange-record.ts'
import { show } from '../../text/format.ts'
import { isAffordable, parseJson } from './json-budget.ts'
import { NoAnswer } from './no-answer.ts'
import { SizedCache } from './sized-cache.ts'

/** The largest body that is read where no other limit is configured. Bytes. */
export const defaultBodyLimit = 8 * 1024 * 1024

/** The most bytes of bodies that a {@link BodyCache} keeps. */
const cachedBytes = 32 * 1024 * 1024

/** The parsed values that were used last, by the hash of their body. A value takes several times the bytes of its body. */
const parsed = new SizedCache<{ readonly value: unknown }>(512 * 1024)

/** A received body. It is parsed again when many others were used since. */
export class Body {
  readonly bytes: Buffer
  /** SHA-256, hexadecimal. */
  readonly hash: string
  #isAffordable: boolean | undefined
  #list: { readonly count: number | undefined } | undefined

  constructor(bytes: Buffer, hash = hashOf(bytes)) {
    this.bytes = bytes
    this.hash = hash
  }

  /** The body as JSON in the target's words; undefined for other bodies. */
  get sent(): unknown {
    const known = parsed.get(this.hash)
    if (known) return known.value
    this.#isAffordable ??= isAffordable(this.bytes)
    const value = this.#isAffordable ? parseJson(this.bytes) : undefined
    parsed.set(this.hash, { value }, this.bytes.length)
    return value
  }

  /** The number of items of a JSON array; undefined for another body. It is found once. */
  get count(): number | undefined {
    this.#list ??= { count: Array.isArray(this.sent) ? this.sent.length : undefined }
    return this.#list.count
  }
}

/** Many responses of a run have equal bodies. The cache stores and parses each of them once. */
export class BodyCache {
  readonly #bodies = new SizedCache<Body>(cachedBytes)

  /** The body with these bytes: a known one, or a new one. */
  of(bytes: Buffer): Body {
    const hash = hashOf(bytes)
    const known = this.#bodies.get(hash)
    if (known) return known
    // Received bytes may be a small part of a buffer of 64 KiB, which they would keep.
    const body = new Body(bytes.buffer.byteLength > 2 * bytes.length ? Buffer.from(bytes) : bytes, hash)
    this.#bodies.set(hash, body, bytes.length)
    return body
  }
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Reads a body of at most `limit` bytes. Throws {@link NoAnswer} for a longer one and closes its connection. */
export async function collectBody(body: Readable, headers: readonly HeaderLine[], limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  const refuseAbove = (bytes: number) => {
    if (bytes > limit) throw new NoAnswer(`the body is longer than ${limit} bytes`, { final: true })
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

type Decoder = (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>

const decoders: Readonly<Record<string, Decoder>> = {
  gzip: promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip),
  'x-gzip': promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip),
  deflate: promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate),
  br: promisify<Buffer, { maxOutputLength: number }, Buffer>(brotliDecompress),
}

const mostCodings = 3

/** Removes the content codings of a body. Throws {@link NoAnswer} if a coding is unknown or fails, or the result is longer than `limit` bytes. */
export async function decode(body: Buffer, headers: readonly HeaderLine[], limit: number): Promise<Buffer> {
  const lines = headers.filter(([name]) => name.toLowerCase() === 'content-encoding').map(([, value]) => value)
  const codings = lines.flatMap((line) => line.toLowerCase().split(',')).map((coding) => coding.trim())
  const applied = codings.filter((coding) => coding !== '' && coding !== 'identity').reverse()
  if (body.length === 0) return body
  if (applied.length > mostCodings) throw new NoAnswer(`the body has ${applied.length} content codings`, { final: true })
  let decoded = body
  for (const coding of applied) decoded = await withoutCoding(coding, decoded, limit)
  return decoded
}

async function withoutCoding(coding: string, body: Buffer, limit: number): Promise<Buffer> {
  const decoder = Object.hasOwn(decoders, coding) ? decoders[coding] : undefined
  // Some servers name the character set of plain JSON here.
  if (!decoder && /^\s*[[{]/.test(body.subarray(0, 64).toString('latin1'))) return body
  if (!decoder) throw new NoAnswer(`the body is in a content coding that is not known: ${show(coding)}`, { final: true })
  try {
    return await decoder(body, { maxOutputLength: limit })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ERR_BUFFER_TOO_LARGE') throw new NoAnswer(`the body decodes to more than ${limit} bytes`, { final: true })
    throw new NoAnswer(`the ${coding} body cannot be decoded`)
  }
}
