import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { type Dispatcher, request } from 'undici'
import { collectBody } from '../../exchange/body.ts'
import type { ReceivedResponse } from '../../exchange/exchange.ts'
import { NoResponse } from '../../exchange/no-response.ts'
import { headerLines, isBodiless, type WireRequest } from '../../exchange/wire.ts'
import { responseOf } from './failure.ts'

/** The least progress of a transfer within one time-out. Bytes. */
const leastProgress = 16 * 1024

/** How often the progress is examined within one time-out. */
const ticks = 10

/** The most bytes that are kept of a body with another status than 200. */
const keptBytes = 64 * 1024

/** Limits of one request. */
export interface RequestLimits {
  /** The longest silence of the target. Milliseconds. */
  readonly timeout: number
  /** The longest body that is read, before decoding. Bytes. */
  readonly largestBody: number
  readonly signal: AbortSignal
}

/** Reads a body to its end, or stops when it has read enough. */
export type Consume<Result> = (body: AsyncIterable<Buffer>) => Promise<Result>

/** A response whose body was consumed while it arrived; `result` is only present for status 200. */
export interface Streamed<Result> {
  readonly response: ReceivedResponse
  readonly result?: Result
}

type StreamLimits = Omit<RequestLimits, 'largestBody'>

/** Sends one request and receives the header block of the response. Throws `NoResponse`, or the signal's reason. */
async function openResponse(wire: WireRequest, dispatcher: Dispatcher, limits: StreamLimits) {
  const sent = request(wire.url, {
    dispatcher,
    signal: limits.signal,
    method: wire.method as Dispatcher.HttpMethod,
    headers: wire.headers.flat(),
    body: wire.body ?? null,
    responseHeaders: 'raw',
  })
  const { statusCode: status, headers, body } = await responseOf(sent, 'head', limits)
  // Errors reach the reader of the body as well.
  body.on('error', () => {})
  return { status, headers: headerLines(headers as unknown as (Buffer | string)[]), body }
}

/** Sends one request and receives the whole response. Throws like {@link openResponse}. */
export async function receive(wire: WireRequest, dispatcher: Dispatcher, limits: RequestLimits): Promise<ReceivedResponse> {
  const { status, headers, body } = await openResponse(wire, dispatcher, limits)
  // undici rejects a 304 or 204 that states a Content-Length, which RFC 9110 (8.6) permits. Its header block is the whole response.
  if (isBodiless(status)) return { status, headers, body: Buffer.alloc(0) }
  return { status, headers, body: await responseOf(collectBody(body, headers, limits.largestBody), 'body', limits) }
}

/** Runs a request. Its signal aborts after `time` milliseconds with a `NoResponse`, or together with the run and for the same reason. */
export async function withDeadline<Result>(
  time: number,
  run: AbortSignal | undefined,
  request: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  run?.throwIfAborted()
  const ended = new AbortController()
  const end = () => ended.abort(new NoResponse(`no complete response within ${time / 1000} s`, { timedOut: true }))
  const timer = setTimeout(end, time)
  const interrupt = () => ended.abort(run?.reason)
  run?.addEventListener('abort', interrupt)
  try {
    return await request(ended.signal)
  } finally {
    clearTimeout(timer)
    run?.removeEventListener('abort', interrupt)
  }
}

/** Receives one response: the body of a 200 goes to `consume`, the beginning of any other body is kept. Throws `NoResponse`, or the error of `consume`. */
export async function receiveStream<Result>(
  wire: WireRequest,
  dispatcher: Dispatcher,
  limits: StreamLimits,
  consume: Consume<Result>,
): Promise<Streamed<Result>> {
  const { body, ...head } = await openResponse(wire, dispatcher, limits)
  try {
    if (head.status !== 200) return { response: { ...head, body: await responseOf(beginningOf(body), 'body', limits) } }
    const { result, ...streamed } = await consumed(body, limits, consume)
    return { response: { ...head, body: Buffer.alloc(0), streamed }, result }
  } finally {
    body.destroy()
  }
}

/** Counts and hashes a body while the consumer reads it, and ends a transfer that almost stalls. */
async function consumed<Result>(body: Readable, limits: StreamLimits, consume: Consume<Result>) {
  const hash = createHash('sha256')
  const { timeout } = limits
  let [bytes, before, quiet, last] = [0, 0, 0, performance.now()]
  // While the consumer is busy, the sender is not the slow side.
  let isWaiting = true
  const stalled = new NoResponse(`fewer than ${leastProgress} bytes of the body arrived in ${timeout / 1000} s`, {
    timedOut: true,
  })
  // A late tick does not count: a busy machine pauses this process, which then receives nothing.
  const timer = setInterval(() => {
    const isLate = performance.now() - last > (1.5 * timeout) / ticks
    quiet = isWaiting && bytes - before < leastProgress ? quiet + (isLate ? 0 : 1) : 0
    last = performance.now()
    if (quiet === 0) before = bytes
    if (quiet === ticks) body.destroy(stalled)
  }, timeout / ticks)
  async function* watched(): AsyncGenerator<Buffer> {
    const chunks = body[Symbol.asyncIterator]()
    for (;;) {
      isWaiting = true
      const { done, value: chunk } = await responseOf(chunks.next(), 'body', limits)
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

async function beginningOf(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= keptBytes) break
  }
  return Buffer.concat(chunks).subarray(0, keptBytes)
}
