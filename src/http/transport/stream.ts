import { createHash } from 'node:crypto'
import type { Dispatcher } from 'undici'
import type { BodyDigest } from '../exchange/exchange.ts'
import { NoAnswer } from '../exchange/no-answer.ts'
import type { WireRequest } from '../exchange/wire.ts'
import { answerOf } from './failure.ts'
import { type OpenResponse, openResponse, type RequestLimits } from './receive.ts'
import type { Consume, Streamed } from './transport.ts'

/** The fewest bytes of a body that must arrive within one time-out. */
const leastProgress = 16 * 1024

/** The most bytes that are kept of a body with another status than 200. */
const keptBytes = 64 * 1024

type StreamLimits = Omit<RequestLimits, 'largestBody'>

/** Receives one response: the body of a 200 goes to `consume`, the beginning of any other body is kept. Throws `NoAnswer`, or the error of `consume`. */
export async function receiveStream<Result>(
  wire: WireRequest,
  dispatcher: Dispatcher,
  limits: StreamLimits,
  consume: Consume<Result>,
): Promise<Streamed<Result>> {
  const { body, ...head } = await openResponse(wire, dispatcher, limits)
  try {
    if (head.status !== 200) return { response: { ...head, body: await answerOf(beginningOf(body), 'body', limits) } }
    const { result, ...streamed } = await consumed(body, limits, consume)
    return { response: { ...head, body: Buffer.alloc(0), streamed }, result }
  } finally {
    body.destroy()
  }
}

/** Counts and hashes a body while the consumer reads it, and ends one that almost stalls. */
async function consumed<Result>(
  body: OpenResponse['body'],
  limits: StreamLimits,
  consume: Consume<Result>,
): Promise<BodyDigest & { result: Result }> {
  const hash = createHash('sha256')
  // While the consumer is busy, the sender is not the slow side.
  let [bytes, before, isWaiting] = [0, 0, true]
  const stalled = new NoAnswer(`fewer than ${leastProgress} bytes of the body arrived in ${limits.timeout / 1000} s`, {
    timedOut: true,
  })
  const timer = setInterval(() => {
    if (isWaiting && bytes - before < leastProgress) body.destroy(stalled)
    before = bytes
  }, limits.timeout)
  async function* watched(): AsyncGenerator<Buffer> {
    const chunks = body[Symbol.asyncIterator]()
    for (;;) {
      isWaiting = true
      const { done, value: chunk } = await answerOf(chunks.next(), 'body', limits)
      isWaiting = false
      if (done) return
      bytes += chunk.length
      hash.update(chunk)
      yield chunk
    }
  }
  try {
    const result = await consume(watched())
    return { bytes, sha256: hash.digest('hex'), result }
  } finally {
    clearInterval(timer)
  }
}

async function beginningOf(body: OpenResponse['body']): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= keptBytes) break
  }
  return Buffer.concat(chunks).subarray(0, keptBytes)
}
