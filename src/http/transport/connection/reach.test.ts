import type { ServerResponse } from 'node:http'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { closedPort, json, listeningOn, scriptedTarget } from '../../../../fixtures/samples/target/scripted-target.ts'
import { briefSleeps } from '../../../../fixtures/samples/time/brief-sleeps.ts'
import { systemClock } from '../time/clock.ts'
import { tryConnect, tryHandshake, whyUnreachable } from './reach.ts'

briefSleeps(systemClock)

test('a listening server is reachable, also on a path prefix', async () => {
  const server = createServer((socket) => socket.destroy())
  expect(await whyUnreachable(`${await listeningOn(server)}/api/v3`, 1000)).toBeUndefined()
})

test('a connection to a closed port fails before its time-out', async () => {
  expect(await tryConnect(await closedPort(), 1000)).toMatchObject({ timedOut: false })
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
