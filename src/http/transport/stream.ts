import { createHash } from 'node:crypto'
import { type Dispatcher, request } from 'undici'
import type { BodyDigest } from '../exchange/exchange.ts'
import { NoAnswer } from '../exchange/no-answer.ts'
import { headerLines, type WireRequest } from '../exchange/wire.ts'
import type { Progress } from './failure.ts'
import type { Consume, Streamed } from './transport.ts'

/** The fewest bytes of a body that must arrive within one time-out. */
const leastProgress = 16 * 1024

/** The most bytes that are kept of a body with another status than 200. */
const keptBody = 64 * 1024

/** The connections for one streamed request, and its limits. */
export interface StreamOptions {
  readonly dispatcher: Dispatcher
  readonly signal: AbortSignal
  /** Milliseconds. */
  readonly timeout: number
  /** Updated while the request proceeds. */
  readonly progress: Progress
}

/** Receives one response: the body of a 200 goes to `consume`, the beginning of any other body is kept. */
export async function receiveStream<Result>(
  wire: WireRequest,
  consume: Consume<Result>,
  { dispatcher, signal, timeout, progress }: StreamOptions,
): Promise<Streamed<Result>> {
  const ended = new AbortController()
  progress.sent = true
  const response = await request(wire.url, {
    dispatcher,
    method: wire.method as Dispatcher.HttpMethod,
    headers: wire.headers.flat(),
    signal: AbortSignal.any([signal, ended.signal]),
    responseHeaders: 'raw',
  })
  progress.status = response.statusCode
  response.body.on('error', () => {})
  const head = { status: response.statusCode, headers: headerLines(response.headers as unknown as (Buffer | string)[]) }
  const body = new WatchedBody(response.body, timeout)
  try {
    if (head.status !== 200) return { response: { ...head, body: await firstBytes(body) } }
    const result = await consume(body)
    return { response: { ...head, body: Buffer.alloc(0), streamed: body.digest() }, result }
  } finally {
    body.stop()
    ended.abort()
  }
}

/** Counts and hashes a body while it is read, and ends one that almost stalls. */
class WatchedBody implements AsyncIterable<Buffer> {
  readonly #source: AsyncIterable<Buffer> & { destroy(error?: Error): unknown }
  readonly #hash = createHash('sha256')
  readonly #timer: NodeJS.Timeout
  #bytes = 0
  #bytesBefore = 0
  /** False while the consumer is busy: then the sender is not the slow side. */
  #isWaiting = true

  constructor(source: AsyncIterable<Buffer> & { destroy(error?: Error): unknown }, timeout: number) {
    this.#source = source
    this.#timer = setInterval(() => this.#demandProgress(timeout), timeout)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for await (const chunk of this.#source) {
      this.#isWaiting = false
      this.#bytes += chunk.length
      this.#hash.update(chunk)
      yield chunk
      this.#isWaiting = true
    }
    this.stop()
  }

  digest(): BodyDigest {
    return { bytes: this.#bytes, sha256: this.#hash.copy().digest('hex') }
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #demandProgress(timeout: number): void {
    if (this.#isWaiting && this.#bytes - this.#bytesBefore < leastProgress) {
      this.#source.destroy(new NoAnswer(`fewer than ${leastProgress} bytes of the body arrived in ${timeout / 1000} s`))
    }
    this.#bytesBefore = this.#bytes
  }
}

async function firstBytes(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= keptBody) break
  }
  return Buffer.concat(chunks).subarray(0, keptBody)
}
