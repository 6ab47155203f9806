import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import type { HeaderLine } from '../record/exchange-record.ts'
import { NoAnswer } from './no-answer.ts'

type Decoder = (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>

const decoders: Readonly<Record<string, Decoder>> = {
  gzip: promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip),
  'x-gzip': promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip),
  deflate: promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate),
  br: promisify<Buffer, { maxOutputLength: number }, Buffer>(brotliDecompress),
}

/** A body without its content encoding. Throws {@link NoAnswer} for one that does not match it or decodes to more than `limit` bytes. */
export async function decode(body: Buffer, headers: readonly HeaderLine[], limit: number): Promise<Buffer> {
  const line = headers.find(([name]) => name.toLowerCase() === 'content-encoding')?.[1]
  const encoding = line?.trim().toLowerCase()
  const decoder = encoding === undefined ? undefined : decoders[encoding]
  if (!decoder || body.length === 0) return body
  try {
    return await decoder(body, { maxOutputLength: limit })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ERR_BUFFER_TOO_LARGE') throw new NoAnswer(`the body decodes to more than ${limit} bytes`, { final: true })
    throw new NoAnswer(`the ${encoding} body cannot be decoded`)
  }
}
