import type { Socket } from 'node:net'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { Agent, buildConnector, Client, type Dispatcher, request as undiciRequest } from 'undici'
import type { HeaderLine } from '../record/exchange-record.ts'
import { readBounded } from './body.ts'
import type { ReceivedResponse } from './exchange.ts'
import { NoAnswer } from './no-answer.ts'
import { type Consume, isNetworkFailure, receiveStream, type Streamed } from './stream.ts'
import { headerLines, lengthAlias, type WireRequest } from './wire.ts'

/** The largest body that is read; a longer one ends the exchange. Bytes, after decoding. */
const largestBody = 64 * 1024 * 1024

/** How long stray bytes behind a bodiless response are waited for; loopback and LAN deliver them within a packet. Milliseconds. */
const strayGrace = 25

/** Opens connections to the target, with the same time-out on connecting, on the header block and between body chunks. */
export class Connection {
  readonly #agent: Agent
  readonly #options: Agent.Options
  readonly #timeout: number

  /** `timeout` in milliseconds. */
  constructor(timeout: number) {
    this.#timeout = timeout
    this.#options = {
      connect: lenientConnector(timeout),
      headersTimeout: timeout,
      bodyTimeout: timeout,
      maxHeaderSize: 64 * 1024,
    }
    this.#agent = new Agent(this.#options)
  }

  /** Sends once, follows nothing. Throws {@link NoAnswer}, or the signal's reason when it was aborted. */
  async send(wire: WireRequest, signal: AbortSignal): Promise<ReceivedResponse> {
    const ending = new AbortController()
    const end = () => ending.abort(signal.reason)
    let late = false
    const deadline = setTimeout(() => {
      late = true
      end()
    }, this.#timeout * 3)
    signal.addEventListener('abort', end)
    try {
      signal.throwIfAborted()
      const alone = wire.tapped || !isRepeatable(wire.method)
      return alone ? await this.#sendAlone(wire, ending.signal) : await receive(this.#agent, wire, ending.signal)
    } catch (error) {
      signal.throwIfAborted()
      if (late) throw new NoAnswer(`no complete answer within ${(this.#timeout * 3) / 1000} s`)
      throw error instanceof NoAnswer ? error : new NoAnswer(describeFailure(error), isUnreachable(error))
    } finally {
      clearTimeout(deadline)
      signal.removeEventListener('abort', end)
    }
  }

  /** Sends once and hands the body of a 200 to `consume` instead of storing it. Throws like {@link send}. */
  async stream<Result>(wire: WireRequest, signal: AbortSignal, consume: Consume<Result>): Promise<Streamed<Result>> {
    try {
      return await receiveStream(this.#agent, wire, signal, this.#timeout, consume)
    } catch (error) {
      signal.throwIfAborted()
      throw isNetworkFailure(error) ? new NoAnswer(describeFailure(error)) : error
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
  }

  /** On a connection of its own: a kept one that the target has just closed would lose what may not be sent twice. */
  async #sendAlone(wire: WireRequest, signal: AbortSignal): Promise<ReceivedResponse> {
    const tap = new SocketTap(this.#timeout)
    const client = new Client(new URL(wire.url).origin, { ...this.#options, connect: tap.connect, pipelining: 1 })
    try {
      const response = await receive(client, wire, signal)
      if (!wire.tapped) return response
      if (response.body.length === 0) await strayBytesArrived()
      return { ...response, strayBytes: tap.bytesAfterHeaders() }
    } finally {
      await client.destroy()
    }
  }
}

/** Connects like undici's own connector, to sockets whose 204 and 304 answers its parser accepts. */
function lenientConnector(timeout: number): buildConnector.connector {
  const connect = buildConnector({ timeout })
  return (options, callback) =>
    connect(options, (...result) => {
      if (result[1]) onRead(result[1], hideLengthOfBodiless)
      callback(...result)
    })
}

const lastChunk = Buffer.from('0\r\n\r\n')

/** A busy process may find the time over before it has read what came: one more turn of the event loop reads it. */
async function strayBytesArrived(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, strayGrace))
  await new Promise((resolve) => setImmediate(resolve))
}

/** After a lost answer, only what gives the same answer twice may be sent again: a repeated DELETE may find nothing. */
export function isRepeatable(method: string): boolean {
  return method === 'GET' || method === 'PUT'
}

/** Copies what a socket receives before the HTTP parser sees it: the parser drops a body that may not be there. */
class SocketTap {
  #received: Buffer[] = []
  readonly connect: buildConnector.connector

  constructor(timeout: number) {
    const connect = lenientConnector(timeout)
    this.connect = (options, callback) =>
      connect(options, (...result) => {
        if (result[1])
          onRead(result[1], (chunk) => this.#received.length < tappedChunks && this.#received.push(Buffer.from(chunk)))
        callback(...result)
      })
  }

  /** Bytes of body, whatever the parser made of them; the empty last chunk of a chunked answer is none. */
  bytesAfterHeaders(): number {
    let rest = Buffer.concat(this.#received)
    for (;;) {
      const end = rest.indexOf('\r\n\r\n')
      if (end < 0) return 0
      const interim = /^HTTP\/1\.1 1\d\d/.test(rest.subarray(0, 12).toString('latin1'))
      rest = rest.subarray(end + 4)
      if (!interim) return rest.length === 5 && rest.equals(lastChunk) ? 0 : rest.length
    }
  }
}

/** Chunks of one tapped answer that are kept; a bodiless answer has few. */
const tappedChunks = 64

/** Lets `see` look at every chunk that a socket receives, before the HTTP parser does. */
function onRead(socket: Socket, see: (chunk: Buffer) => unknown): void {
  const read = socket.read.bind(socket)
  socket.read = (size?: number) => {
    const chunk: Buffer | null = read(size)
    if (chunk) see(chunk)
    return chunk
  }
}

/**
 * A 304 may state the length of the body that a 200 would have had (RFC 9110, 8.6), and a 204 wrongly that of a body it
 * sends; undici takes both for truncated answers, so the name is hidden from its parser and restored in {@link headerLines}.
 */
function hideLengthOfBodiless(chunk: Buffer): void {
  if (!/^HTTP\/1\.[01] (204|304)/.test(chunk.subarray(0, 12).toString('latin1'))) return
  const end = chunk.indexOf('\r\n\r\n')
  const head = chunk.subarray(0, end < 0 ? chunk.length : end).toString('latin1')
  const at = /\r\ncontent-length(?=:)/i.exec(head)
  if (at) chunk.write(lengthAlias, at.index + 2, 'latin1')
}

async function receive(dispatcher: Dispatcher, wire: WireRequest, signal: AbortSignal): Promise<ReceivedResponse> {
  const response = await undiciRequest(wire.url, {
    dispatcher,
    method: wire.method as Dispatcher.HttpMethod,
    headers: wire.headers.flat(),
    body: wire.body ?? null,
    signal,
    responseHeaders: 'raw',
  })
  const headers = headerLines(response.headers as unknown as (Buffer | string)[])
  const body = await readBounded(response.body, largestBody)
  return { status: response.statusCode, headers, body: await decode(body, headers) }
}

const decoders: Readonly<Record<string, (body: Buffer) => Promise<Buffer>>> = {
  gzip: (body) => promisify(gunzip)(body, { maxOutputLength: largestBody }),
  'x-gzip': (body) => promisify(gunzip)(body, { maxOutputLength: largestBody }),
  deflate: (body) => promisify(inflate)(body, { maxOutputLength: largestBody }),
  br: (body) => promisify(brotliDecompress)(body, { maxOutputLength: largestBody }),
}

async function decode(body: Buffer, headers: readonly HeaderLine[]): Promise<Buffer> {
  const encoding = headers
    .find(([name]) => name.toLowerCase() === 'content-encoding')?.[1]
    .trim()
    .toLowerCase()
  const decoder = encoding === undefined ? undefined : decoders[encoding]
  if (!decoder || body.length === 0) return body
  try {
    return await decoder(body)
  } catch (error) {
    throw new NoAnswer(`the ${encoding} body cannot be decoded: ${describeFailure(error)}`)
  }
}

const unreachableCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'])

function isUnreachable(error: unknown): boolean {
  return unreachableCodes.has(String((error as NodeJS.ErrnoException | null)?.code))
}

function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause
  const code = (error as NodeJS.ErrnoException).code
  const text = error.message || (inner instanceof Error ? inner.message : '') || error.name
  return code && !text.includes(code) ? `${text} (${code})` : text
}
