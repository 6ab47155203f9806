import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** A request as a scripted target received it. */
export interface ReceivedRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** A server on loopback that responds by script. */
export interface ScriptedTarget {
  readonly baseUrl: string
  readonly received: ReceivedRequest[]
}

/** Starts a target whose responses are written by `answer`; it closes when the test ends. */
export async function scriptedTarget(
  answer: (request: ReceivedRequest, response: ServerResponse, count: number) => void,
): Promise<ScriptedTarget> {
  const received: ReceivedRequest[] = []
  const server = createServer(async (incoming, response) => {
    const { method = '', url = '', headers } = incoming
    const request = { method, url, headers, body: await text(incoming) }
    received.push(request)
    answer(request, response, received.length)
  })
  return { baseUrl: await listening(server), received }
}

/** Starts a target that writes bytes to a socket for each request, which may be invalid HTTP. */
export async function rawTarget(answer: (socket: Socket, count: number) => void): Promise<string> {
  let count = 0
  const server = createTcpServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', () => {
      count += 1
      answer(socket, count)
    })
  })
  return listening(server)
}

/** Writes a JSON response. */
export function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

/** A base URL without a server. */
export async function closedPort(): Promise<string> {
  const server = createTcpServer()
  const url = await addressOf(server)
  await once(server.close(), 'close')
  return url
}

/** A target whose first `times` responses are written by `first`; every later one is an empty list. */
export function servedAfter(times: number, first: (response: ServerResponse) => void) {
  return scriptedTarget((_, response, count) => (count <= times ? first(response) : json(response, 200, [])))
}

/** The start of the clocks in tests; milliseconds. */
export const scriptedStart = Date.UTC(2026, 10, 20, 12)

async function addressOf(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Starts a server that closes with its connections when the test ends. */
async function listening(server: Server): Promise<string> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await once(server.close(), 'close')
  })
  return addressOf(server)
}
