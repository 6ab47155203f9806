import { NoAnswer } from './no-answer.ts'

/** The largest body that is read unless `limits.bodyBytes` says otherwise; a longer one ends the exchange. Bytes. */
export const bodyBudget = 16 * 1024 * 1024

/** Bodies of a stated length from here on are read into place: gathered pieces take their memory twice. Bytes. */
const readIntoPlace = 1024 * 1024

/**
 * Reads a body to its end; `stated` is its length in bytes where the answer states one.
 * Throws {@link NoAnswer} for one that is longer than `limit` bytes.
 */
export async function readBounded(body: AsyncIterable<Buffer>, limit: number, stated = 0): Promise<Buffer> {
  const place = stated >= readIntoPlace && stated <= limit ? Buffer.allocUnsafeSlow(stated) : undefined
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    if (length + chunk.length > limit) throw new NoAnswer(`the body is longer than ${limit} bytes`, { final: true })
    if (place) chunk.copy(place, length)
    else chunks.push(chunk)
    length += chunk.length
  }
  return place ? place.subarray(0, length) : Buffer.concat(chunks)
}
