import * as http from 'node:http'
import * as https from 'node:https'
import { setTimeout as delay, setImmediate as immediate } from 'node:timers/promises'
import { errors } from 'undici'
import { collectBody } from '../../exchange/body.ts'
import type { ReceivedResponse } from '../../exchange/exchange.ts'
import { NoResponse } from '../../exchange/no-response.ts'
import { headerLines, isBodiless, type WireRequest } from '../../exchange/wire.ts'
import { responseOf } from './failure.ts'
import type { RequestLimits } from './receive.ts'

/** The time that stray bytes have to arrive; loopback and a LAN deliver them with the next packet. Milliseconds. */
const strayGrace = 25

/**
 * Sends one request on a connection of its own. Node's HTTP client parses the response; this function only listens to the socket.
 * `strayBytes` is the number of bytes after the header block of a 204 or 304, or beyond the Content-Length of another response.
 * `continued` is true for an unrequested 100 Continue before the response. Throws `NoResponse`, or the signal's reason.
 */
export async function receiveTapped(wire: WireRequest, limits: RequestLimits & { longestHead: number }) {
  const { Agent, request } = wire.url.startsWith('https:') ? https : http
  // A kept connection stays open after the response, so that late bytes are counted.
  const agent = new Agent({ keepAlive: true })
  const { timeout, longestHead: maxHeaderSize, signal } = limits
  // Node would turn credentials in the URL of a redirect into an Authorization header.
  const call = request(wire.url, { agent, auth: null, method: wire.method, timeout, maxHeaderSize, signal })
  const tap = new ConnectionTap()
  let continued = false
  call.on('information', ({ statusCode }) => (continued ||= statusCode === 100))
  call.on('socket', (socket) => socket.on('data', (chunk: Buffer) => tap.add(chunk)))
  try {
    for (const [name, value] of wire.headers) call.appendHeader(name, value)
    if (wire.body !== undefined) call.setHeader('Content-Length', Buffer.byteLength(wire.body))
    const message = await responseOf(responseTo(call, wire.body), 'head', limits)
    const response = await responseOf(wholeResponse(message, limits.largestBody, wire.tapped), 'body', limits)
    return { response, strayBytes: tap.strayBytes(response), continued }
  } finally {
    agent.destroy()
  }
}

function responseTo(call: http.ClientRequest, body: string | undefined): Promise<http.IncomingMessage> {
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
      reject(new NoResponse('the response is not valid HTTP/1.1: it switches protocols without a request', { malformed: true }))
    })
    call.end(body)
  })
}

async function wholeResponse(message: http.IncomingMessage, largestBody: number, awaitsStray = false): Promise<ReceivedResponse> {
  const { socket, statusCode: status = 0 } = message
  const headers = headerLines(message.rawHeaders)
  const body = await collectBody(message, isBodiless(status) ? [] : headers, largestBody)
  if (awaitsStray && body.length === 0 && !socket.destroyed) await delay(strayGrace)
  // A busy process may need another turn of the event loop to read stray bytes.
  if (body.length === 0) await immediate()
  return { status, headers, body }
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
