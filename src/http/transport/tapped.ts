import * as http from 'node:http'
import * as https from 'node:https'
import type { Socket } from 'node:net'
import { setTimeout as delay, setImmediate as immediate } from 'node:timers/promises'
import { errors } from 'undici'
import { BodyCollector } from '../exchange/body.ts'
import type { ReceivedResponse } from '../exchange/exchange.ts'
import { NoAnswer } from '../exchange/no-answer.ts'
import { headerLines, isBodiless, type WireRequest } from '../exchange/wire.ts'
import type { Progress } from './failure.ts'
import type { RequestDeadline } from './request-deadline.ts'

/** Limits of one tapped request. */
export interface TapOptions {
  /** The longest silence of the target. Milliseconds. */
  readonly timeout: number
  /** The longest body that is read, before decoding. Bytes. */
  readonly largestBody: number
  /** The longest header block. Bytes. */
  readonly longestHead: number
  readonly deadline: RequestDeadline
  /** Updated while the request proceeds. */
  readonly progress: Progress
}

/** A response, and facts about its connection that HTTP clients do not report. */
export interface TappedResponse {
  readonly response: ReceivedResponse
  /** Bytes after the header block of a 204 or 304, or after the stated length of any other response. */
  readonly strayBytes: number
  /** The target sent an unrequested 100 Continue before the response. */
  readonly continued: boolean
}

/** The time that stray bytes have to arrive; loopback and a LAN deliver them with the next packet. Milliseconds. */
const strayGrace = 25

/**
 * Sends one request on a connection of its own and counts the bytes that belong to no response. Node's HTTP client parses the response;
 * this function only listens to the socket as well. Throws `NoAnswer`, the deadline's reason, or a network error.
 */
export async function receiveTapped(wire: WireRequest, options: TapOptions): Promise<TappedResponse> {
  const { Agent, request } = wire.url.startsWith('https:') ? https : http
  // A kept connection stays open after the response, so that late bytes are counted.
  const agent = new Agent({ keepAlive: true })
  const { method } = wire
  const call = request(wire.url, { agent, method, timeout: options.timeout, maxHeaderSize: options.longestHead })
  for (const [name, value] of wire.headers) call.appendHeader(name, value)
  if (wire.body !== undefined) call.setHeader('Content-Length', Buffer.byteLength(wire.body))
  try {
    return await received(call, wire.body, options)
  } finally {
    agent.destroy()
  }
}

function received(call: http.ClientRequest, body: string | undefined, options: TapOptions): Promise<TappedResponse> {
  const { deadline, progress, largestBody } = options
  const tap = new ConnectionTap()
  let [message, continued]: [http.IncomingMessage | undefined, boolean] = [undefined, false]
  const end = (reason: Error) => (message ?? call).destroy(reason)
  return new Promise((resolve, reject) => {
    deadline.onExpire(end)
    call.on('timeout', () => end(message ? new errors.BodyTimeoutError() : new errors.HeadersTimeoutError()))
    // Stray bytes after a complete response are a parser error as well.
    call.on('error', (error) => message?.complete || reject(error))
    call.on('close', () => message?.complete || reject(new errors.SocketError('closed')))
    call.on('upgrade', (_, socket) => {
      socket.destroy()
      reject(new NoAnswer('the answer is not valid HTTP/1.1: it switches protocols without a request', { malformed: true }))
    })
    call.on('information', ({ statusCode }) => (continued ||= statusCode === 100))
    call.on('socket', (socket) => {
      progress.sent = true
      socket.on('data', (chunk: Buffer) => tap.add(chunk))
    })
    call.on('response', (incoming) => {
      message = incoming
      progress.status = incoming.statusCode ?? 0
      const response = wholeResponse(incoming, incoming.socket, largestBody)
      response.then((whole) => resolve({ response: whole, strayBytes: tap.strayBytes(whole), continued }), reject)
    })
    call.end(body)
  })
}

async function wholeResponse(message: http.IncomingMessage, socket: Socket, largestBody: number): Promise<ReceivedResponse> {
  const headers = headerLines(message.rawHeaders)
  const status = message.statusCode ?? 0
  const body = new BodyCollector(largestBody)
  if (!isBodiless(status)) body.expect(headers)
  for await (const chunk of message) body.add(chunk as Buffer)
  if (body.bytes.length === 0) await lateBytes(socket)
  return { status, headers, body: body.bytes }
}

/** Waits for stray bytes. A busy process may need another turn of the event loop to read them. */
async function lateBytes(socket: Socket): Promise<void> {
  if (!socket.destroyed) await delay(strayGrace)
  await immediate()
}

/** Counts the bytes of a connection after the header block of its final response. */
class ConnectionTap {
  #head = ''
  #isPastHead = false
  #bytes = 0

  add(chunk: Buffer): void {
    if (this.#isPastHead) this.#bytes += chunk.length
    else this.#addToHead(chunk.toString('latin1'))
  }

  strayBytes({ status, headers }: ReceivedResponse): number {
    if (isBodiless(status)) return this.#bytes
    const stated = headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1]
    return stated === undefined ? 0 : Math.max(0, this.#bytes - Number(stated))
  }

  #addToHead(text: string): void {
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
