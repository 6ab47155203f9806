import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import type { HeaderLine } from '../../record/exchange-record.ts'
import { show } from '../../text/format.ts'
import { NoAnswer } from './no-answer.ts'

type Decoder = (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>

const decoders: Readonly<Record<string, Decoder>> = {
  gzip: promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip),
  'x-gzip': promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip),
  deflate: promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate),
  br: promisify<Buffer, { maxOutputLength: number }, Buffer>(brotliDecompress),
}

/** The most content codings of one body. */
const mostCodings = 3

/** Removes the content codings of a body. Throws {@link NoAnswer} where a coding is unknown or fails, or the result is longer than `limit` bytes. */
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
