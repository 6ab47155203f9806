import { createHash } from 'node:crypto'
import type { Dispatcher } from 'undici'
import { errors, request } from '../transport/undici-parts.ts'
import type { ReceivedResponse } from './exchange.ts'
import { NoAnswer } from './no-answer.ts'
import type { WireRequest } from './wire.ts'
import { headerLines } from './wire.ts'

/** Reads a body to its end, or stops reading when it has seen enough. */
export type Consume<Result> = (body: AsyncIterable<Buffer>) => Promise<Result>

/** An answer whose body was consumed while it arrived; `result` only where the status was 200. */
export interface Streamed<Result> {
  readonly response: ReceivedResponse
  readonly result?: Result
}

/** A body that brings fewer bytes than this in one time-out counts as stalled. */
const leastProgress = 16 * 1024

/** As much of another answer than 200 as is kept. Bytes. */
const keptBody = 64 * 1024

/** Receives one answer; a 200 goes to `consume`, anything else is kept in part. `timeout` in milliseconds. */
export async function receiveStream<Result>(
  dispatcher: Dispatcher,
  wire: WireRequest,
  signal: AbortSignal,
  timeout: number,
  consume: Consume<Result>,
): Promise<Streamed<Result>> {
  const ended = new AbortController()
  const response = await request(wire.url, {
    dispatcher,
    method: wire.method as Dispatcher.HttpMethod,
    headers: wire.headers.flat(),
    signal: AbortSignal.any([signal, ended.signal]),
    responseHeaders: 'raw',
  })
  response.body.on('error', () => {})
  const head = { status: response.statusCode, headers: headerLines(response.headers as unknown as (Buffer | string)[]) }
  const body = new WatchedBody(response.body, timeout)
  try {
    if (head.status !== 200) return { response: { ...head, body: await firstBytes(body) } }
    const result = await consume(body)
    return { response: { ...head, body: Buffer.alloc(0), streamed: body.summary() }, result }
  } finally {
    body.stop()
    ended.abort()
  }
}

/** Counts and hashes a body while it is read, and ends one that hardly moves. */
class WatchedBody implements AsyncIterable<Buffer> {
  readonly #source: AsyncIterable<Buffer> & { destroy(error?: Error): unknown }
  readonly #hash = createHash('sha256')
  readonly #timer: NodeJS.Timeout
  #bytes = 0
  #before = 0
  /** False while the reader is busy: then it is not the sender that is slow. */
  #waiting = true

  constructor(source: AsyncIterable<Buffer> & { destroy(error?: Error): unknown }, timeout: number) {
    this.#source = source
    this.#timer = setInterval(() => this.#demandProgress(timeout), timeout)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for await (const chunk of this.#source) {
      this.#waiting = false
      this.#bytes += chunk.length
      this.#hash.update(chunk)
      yield chunk
      this.#waiting = true
    }
    this.stop()
  }

  summary() {
    return { bytes: this.#bytes, sha256: this.#hash.copy().digest('hex') }
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #demandProgress(timeout: number): void {
    if (this.#waiting && this.#bytes - this.#before < leastProgress) {
      this.#source.destroy(
        new NoAnswer(`fewer than ${leastProgress} bytes of the body arrived in ${timeout / 1000} s`, { timeout: true }),
      )
    }
    this.#before = this.#bytes
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

/** True for what undici and sockets throw; anything else is the consumer's own error. */
export function isNetworkFailure(error: unknown): boolean {
  const { code, name } = error as NodeJS.ErrnoException
  return error instanceof errors.UndiciError || name === 'AbortError' || /^(E[A-Z]+|UND_ERR|HPE_)/.test(code ?? '')
}
