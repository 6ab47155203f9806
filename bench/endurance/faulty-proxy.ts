import { createServer, type IncomingMessage, request as onwardTo, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { withoutConnection } from '../forwarded-headers.ts'

// Forwards to an address on loopback over a network that is not a good one: each answer is late by up to so many milliseconds, a share
// of the requests ends with a reset, half of them before the server sees the request, and a share is answered 503. Tells its port,
// and what it did when asked with any message.
const [target = '', jitter = '200', resets = '0.01', refusals = '0.01'] = process.argv.slice(2)
const { hostname, port } = new URL(target)
const done = { requests: 0, resetBefore: 0, resetAfter: 0, refused: 0 }

const server = createServer((request, response) => void forward(request, response))
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('message', () => process.send?.(done))
process.on('disconnect', () => process.exit(0))

async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  done.requests += 1
  await delay(Math.random() * Number(jitter))
  const chance = Math.random()
  const [reset, refused] = [Number(resets), Number(resets) + Number(refusals)]
  if (chance < reset / 2) {
    done.resetBefore += 1
    request.socket.resetAndDestroy()
  } else if (chance >= reset && chance < refused) {
    done.refused += 1
    response.writeHead(503, { 'Content-Type': 'text/plain' }).end('busy')
  } else relay(request, Buffer.concat(chunks), response, chance < reset)
}

function relay(request: IncomingMessage, body: Buffer, response: ServerResponse, lost: boolean): void {
  const { method = 'GET', url = '/', headers } = request
  const onward = onwardTo({ hostname, port, method, path: url, headers })
  onward.once('response', (answer) => {
    if (!lost) {
      response.writeHead(answer.statusCode ?? 500, withoutConnection(answer.rawHeaders))
      answer.pipe(response)
      return
    }
    done.resetAfter += 1
    answer.resume()
    request.socket.resetAndDestroy()
  })
  onward.once('error', () => response.destroy())
  onward.end(body)
}
