import type { ServerResponse } from 'node:http'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { closedPort, json, scriptedTarget } from '../../../../fixtures/samples/target/scripted-target.ts'
import { tryConnect, tryHandshake, whyUnreachable } from './reach.ts'

test('a listening server is reachable, also on a path prefix', async () => {
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  expect(await whyUnreachable(`http://127.0.0.1:${port}/api/v3`, 1000)).toBeUndefined()
  await new Promise<void>((resolve) => server.close(() => resolve()))
  expect(await tryConnect(`http://127.0.0.1:${port}`, 1000)).toMatchObject({ timedOut: false })
})

test('a closed port is tried three times, and the message states the attempts', async () => {
  expect(await whyUnreachable('http://127.0.0.1:9', 1000)).toMatch(
    /^http:\/\/127\.0\.0\.1:9: .*ECONNREFUSED.* \(tried 3 times in [\d.]+ s\)$/,
  )
})

const overTls = (baseUrl: string) => baseUrl.replace('http:', 'https:')

test('plain http makes no handshake', async () => {
  expect(await tryHandshake(await closedPort())).toBeUndefined()
})

test('a closed port is the reason why there is no handshake', async () => {
  expect(await tryHandshake(overTls(await closedPort()))).toEqual({ reason: expect.stringContaining('ECONNREFUSED') })
})

test('a server that does not speak TLS fails the handshake and receives no request', async () => {
  const { baseUrl, received } = await scriptedTarget((_, response: ServerResponse) => json(response, 200, []))
  expect(await tryHandshake(overTls(baseUrl))).toEqual({ reason: expect.stringMatching(/\S/) })
  expect(received).toEqual([])
})
