import { createHash } from 'node:crypto'
import * as http from 'node:http'
import * as https from 'node:https'
import type { Readable } from 'node:stream'
import { type Dispatcher, errors, request } from 'undici'
import { collectBody } from '../../exchange/body.ts'
import {
  headerLines,
  isBodiless,
  type ReceivedResponse,
  type WireRequest,
} from '../../exchange/exchange.ts'
import { NoResponse } from '../../exchange/no-response.ts'
import { withDeadline } from '../time/budget.ts'
import { systemClock } from '../time/clock.ts'
import { every, nextTurn } from '../time/timers.ts'

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
export async function receive(
  wire: WireRequest,
  dispatcher: Dispatcher,
  limits: RequestLimits,
): Promise<ReceivedResponse> {
  const { status, headers, body } = await openResponse(wire, dispatcher, limits)
  // undici rejects a 304 or 204 that states a Content-Length, which RFC 9110 (8.6) permits. Its header block is the whole response.
  if (isBodiless(status)) return { status, headers, body: Buffer.alloc(0) }
  return {
    status,
    headers,
    body: await responseOf(collectBody(body, headers, limits.largestBody), 'body', limits),
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
    if (head.status !== 200) return { response: { ...head, body: await shortBody(body, limits) } }
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
  let bytes = 0
  let before = 0
  let quiet = 0
  let last = performance.now()
  // While the consumer is busy, the sender is not the slow side.
  let isWaiting = true
  const stalled = new NoResponse(
    `fewer than ${leastProgress} bytes of the body arrived in ${timeout / 1000} s`,
    {
      timedOut: true,
    },
  )
  // A late tick does not count: a busy machine pauses this process, which then receives nothing.
  const stop = every(timeout / ticks, () => {
    const isLate = performance.now() - last > (1.5 * timeout) / ticks
    quiet = isWaiting && bytes - before < leastProgress ? quiet + (isLate ? 0 : 1) : 0
    last = performance.now()
    if (quiet === 0) before = bytes
    if (quiet === ticks) body.destroy(stalled)
  })
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
    stop()
  }
}

/** The beginning of a body that arrives in time. A body that drips makes no progress by its bytes. Throws like {@link openResponse}. */
function shortBody(body: Readable, { timeout, signal }: StreamLimits): Promise<Buffer> {
  return withDeadline(timeout * 3, signal, (ending) => {
    ending.addEventListener('abort', () => body.destroy(ending.reason))
    return responseOf(beginningOf(body), 'body', { timeout, signal: ending })
  })
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

/** The time that stray bytes have to arrive; loopback and a LAN deliver them with the next packet. Milliseconds. */
const strayGrace = 25

/**
 * Sends one request on a connection of its own. Node's HTTP client parses the response; this function only listens to the socket.
 * `strayBytes` is the number of bytes after the header block of a 204 or 304, or beyond the Content-Length of another response.
 * `continued` is true for an unrequested 100 Continue before the response. Throws `NoResponse`, or the signal's reason.
 */
export async function receiveTapped(
  wire: WireRequest,
  limits: RequestLimits & { longestHead: number },
) {
  const { Agent, request } = wire.url.startsWith('https:') ? https : http
  // A kept connection stays open after the response, so that late bytes are counted.
  const agent = new Agent({ keepAlive: true })
  const { timeout, longestHead: maxHeaderSize, signal } = limits
  // Node would turn credentials in the URL of a redirect into an Authorization header.
  const call = request(wire.url, {
    agent,
    auth: null,
    method: wire.method,
    timeout,
    maxHeaderSize,
    signal,
  })
  const tap = new ConnectionTap()
  let continued = false
  call.on('information', ({ statusCode }) => (continued ||= statusCode === 100))
  call.on('socket', (socket) => socket.on('data', (chunk: Buffer) => tap.add(chunk)))
  try {
    for (const [name, value] of wire.headers) call.appendHeader(name, value)
    if (wire.body !== undefined) call.setHeader('Content-Length', Buffer.byteLength(wire.body))
    const message = await responseOf(responseTo(call, wire.body), 'head', limits)
    const response = await responseOf(
      wholeResponse(message, limits.largestBody, wire.tapped),
      'body',
      limits,
    )
    return { response, strayBytes: tap.strayBytes(response), continued }
  } finally {
    agent.destroy()
  }
}

function responseTo(
  call: http.ClientRequest,
  body: string | undefined,
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    let message: http.IncomingMessage | undefined
    call.on('response', (incoming) => {
      message = incoming
      resolve(incoming)
    })
    // Stray bytes after the response cause an error as well, which is ignored.
    call.on('error', reject)
    call.on('timeout', () => {
      if (message) message.destroy(new errors.BodyTimeoutError())
      else call.destroy(new errors.HeadersTimeoutError())
    })
    call.on('upgrade', (_, socket) => {
      socket.destroy()
      reject(
        new NoResponse(
          'the response is not valid HTTP/1.1: it switches protocols without a request',
          { malformed: true },
        ),
      )
    })
    call.end(body)
  })
}

async function wholeResponse(
  message: http.IncomingMessage,
  largestBody: number,
  awaitsStray = false,
): Promise<ReceivedResponse> {
  const { socket, statusCode: status = 0 } = message
  const headers = headerLines(message.rawHeaders)
  const body = await collectBody(message, isBodiless(status) ? [] : headers, largestBody)
  if (awaitsStray && body.length === 0 && !socket.destroyed) await systemClock.sleep(strayGrace)
  // A busy process may need another turn of the event loop to read stray bytes.
  if (body.length === 0) await nextTurn()
  return { status, headers, body }
}

/** Counts the bytes of a connection after the header block of its final response. */
class ConnectionTap {
  #head = ''
  #isPastHead = false
  #bytes = 0

  add(chunk: Buffer) {
    if (this.#isPastHead) this.#bytes += chunk.length
    else this.#addToHead(chunk.toString('latin1'))
  }

  strayBytes({ status, headers }: ReceivedResponse): number {
    if (isBodiless(status)) return this.#bytes
    const stated = headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1]
    return stated === undefined ? 0 : Math.max(0, this.#bytes - Number(stated))
  }

  #addToHead(text: string) {
    this.#head += text
    for (;;) {
      const block = /^[\r\n]*[\s\S]*?\r?\n\r?\n/.exec(this.#head)?.[0]
      if (block === undefined) return
      this.#head = this.#head.slice(block.length)
      if (/^[\r\n]*HTTP\/1\.\d 1/.test(block)) continue
      this.#isPastHead = true
      this.#bytes = this.#head.length
      return
    }
  }
}

const unreachable = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]

/** Codes of a connection that the target closes or resets. */
const endings = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']

const timeouts = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']

/** Codes of a response that is not HTTP/1.1. undici reports some of them as a failed assertion. */
const malformed = /^(HPE_|UND_ERR_RES_CONTENT_LENGTH_MISMATCH|ERR_ASSERTION)/

/** The part of a response that was awaited when a request failed. */
type Phase = 'head' | 'body'

/** Waits for a part of a response. Throws the signal's reason, and any other error as a `NoResponse`. `timeout` in milliseconds. */
async function responseOf<Part>(
  part: Promise<Part>,
  phase: Phase,
  { signal, timeout }: { readonly signal: AbortSignal; readonly timeout: number },
): Promise<Part> {
  try {
    return await part
  } catch (error) {
    signal.throwIfAborted()
    throw failureOf(error, phase, timeout)
  }
}

function failureOf(error: unknown, phase: Phase, timeout: number): NoResponse {
  if (error instanceof NoResponse) return error
  const code = codeOf(error)
  const text = error instanceof Error ? textOf(error) : String(error)
  if (unreachable.includes(code)) return new NoResponse(text, { unreachable: true, unsent: true })
  if (/_HEADERS?_OVERFLOW$/.test(code))
    return new NoResponse('the headers are longer than limits.headerBytes', { final: true })
  if (error instanceof errors.HTTPParserError || malformed.test(code))
    return new NoResponse(`the response is not valid HTTP/1.1: ${text.split('\n')[0]}`, {
      malformed: true,
    })
  const dropped = endings.includes(code)
  const isFirstUse = error instanceof errors.SocketError && error.socket?.bytesRead === 0
  const lostWithKept = dropped && phase === 'head' && !isFirstUse
  return new NoResponse(lossOf(code, phase, timeout) ?? text, {
    dropped,
    lostWithKept,
    timedOut: timeouts.includes(code),
  })
}

function lossOf(code: string, phase: Phase, timeout: number): string | undefined {
  const when = phase === 'head' ? 'before it answered' : 'within its response'
  if (code === 'UND_ERR_HEADERS_TIMEOUT') return `no response within ${timeout / 1000} s`
  if (code === 'UND_ERR_BODY_TIMEOUT')
    return `nothing more of the body arrived within ${timeout / 1000} s`
  if (code === 'ECONNRESET' || code === 'EPIPE')
    return `the target reset the connection ${when} (${code})`
  if (code === 'UND_ERR_SOCKET') return `the target closed the connection ${when}`
  return undefined
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return ''
  const { code, cause } = error
  return (code === 'UND_ERR_SOCKET' && codeOf(cause)) || String(code ?? '')
}

/** The message of an error or of its cause, with the code. */
function textOf(error: Error): string {
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause
  const code = codeOf(error)
  const text = error.message || (inner instanceof Error ? inner.message : '') || error.name
  return code && !text.includes(code) ? `${text} (${code})` : text
}
