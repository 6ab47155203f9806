import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { closedPort, json, scriptedTarget } from '../testing/scripted-target.ts'
import { tryHandshake } from './handshake.ts'

const overTls = (baseUrl: string) => baseUrl.replace('http:', 'https:')

test('plain http makes no handshake', async () => {
  expect(await tryHandshake(await closedPort())).toBeUndefined()
})

test('a closed port is the reason why there is no handshake', async () => {
  expect(await tryHandshake(overTls(await closedPort()))).toEqual({ reason: expect.stringContaining('ECONNREFUSED') })
})

test('a server that does not speak TLS is told by what the handshake came to, and is sent no request', async () => {
  const { baseUrl, received } = await scriptedTarget((_, response: ServerResponse) => json(response, 200, []))
  expect(await tryHandshake(overTls(baseUrl))).toEqual({ reason: expect.stringMatching(/\S/) })
  expect(received).toEqual([])
})
