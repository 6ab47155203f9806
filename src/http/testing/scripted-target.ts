import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
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
    const body = await textOf(incoming)
    const request = { method: incoming.method ?? '', url: incoming.url ?? '', headers: incoming.headers, body }
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}

/** The start of the clocks in tests; milliseconds. */
export const scriptedStart = Date.UTC(2026, 10, 20, 12)

async function listening(server: Server): Promise<string> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
