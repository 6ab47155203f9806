import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { withoutConnection } from './forwarded-headers.ts'

// Forwards to an address on loopback, each request later by so many milliseconds, and tells its port; asked with the
// message `sent`, it tells what was sent.
const [target = '', delay = '0'] = process.argv.slice(2)
const { hostname, port } = new URL(target)
const sent: { method: string; url: string; headers: string[]; body: string }[] = []

const server = createServer((request, response) => void forward(request, response))
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('message', (message) => void (message === 'sent' && process.send?.(sent.splice(0))))
process.on('disconnect', () => process.exit(0))

async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  const { method = 'GET', url = '/' } = request
  sent.push({ method, url, headers: withoutConnection(request.rawHeaders), body: body.toString('utf8') })
  if (Number(delay) > 0) await new Promise((resolve) => setTimeout(resolve, Number(delay)))
  const onward = httpRequest({ hostname, port, method, path: url, headers: request.headers })
  onward.once('response', (answer) => {
    response.writeHead(answer.statusCode ?? 500, withoutConnection(answer.rawHeaders))
    answer.pipe(response)
  })
  onward.once('error', () => response.destroy())
  onward.end(body)
}
