import { NoAnswer } from './no-answer.ts'

/** The largest body that is read unless `limits.bodyBytes` says otherwise; a longer one ends the exchange. Bytes. */
export const bodyBudget = 16 * 1024 * 1024

/** Reads a body to its end. Throws {@link NoAnswer} for one that is longer than `limit` bytes. */
export async function readBounded(body: AsyncIterable<Buffer>, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > limit) throw new NoAnswer(`the body is longer than ${limit} bytes`, { final: true })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
