import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { scriptedTarget } from '../../fixtures/samples/target/scripted-target.ts'
import { anonymous } from './exchange/caller.ts'
import { NoResponse } from './exchange/no-response.ts'
import { openClient } from './test-client.ts'

const archive = { endpoint: { method: 'GET', path: '/archive' }, as: anonymous } as const
const lengthOf = async (body: AsyncIterable<Buffer>) => {
  let length = 0
  for await (const chunk of body) length += chunk.length
  return length
}

/** Opens a target that responds in this way, and may stall for so many seconds. `stream` downloads the archive from it. */
async function opened(respond: Parameters<typeof scriptedTarget>[0], timeoutSeconds = 5) {
  const { baseUrl, received } = await scriptedTarget(respond)
  const client = openClient(baseUrl, { limits: { concurrency: 1, requestsPerSecond: 1000, timeoutSeconds } })
  return { client, received, stream: () => client.stream(archive, lengthOf) }
}

/** Responds with a body that makes almost no progress. */
const dripping = (status: number) => (_: unknown, response: ServerResponse) => {
  response.writeHead(status)
  const drip = setInterval(() => response.write('x'), 10)
  response.once('close', () => clearInterval(drip))
}

describe('a streamed body', () => {
  test('a streamed body is counted and hashed without being stored', async () => {
    const body = Buffer.alloc(300_000, 'x')
    const { client, stream } = await opened((_, response) => response.end(body))
    const { exchange, result } = await stream()
    expect(result).toBe(300_000)
    expect(exchange.response.body).toHaveLength(0)
    expect(exchange.response.streamed).toEqual({ bytes: 300_000, sha256: createHash('sha256').update(body).digest('hex') })
    expect(client.totals.bytes).toBe(300_000)
  })

  test('a streamed body need not be read to its end', async () => {
    const { client } = await opened((_, response) => {
      const more = () =>
        response.destroyed || (response.write(Buffer.alloc(65_536)) ? setImmediate(more) : response.once('drain', more))
      more()
    })
    const first = async (body: AsyncIterable<Buffer>) => {
      for await (const chunk of body) return chunk.length > 0
      return false
    }
    expect((await client.stream(archive, first)).result).toBe(true)
  })

  test('a body of another status than 200 is kept in part and not passed to the consumer', async () => {
    const { stream } = await opened((_, response) => response.writeHead(404).end('x'.repeat(200_000)))
    const { exchange, ...rest } = await stream()
    expect([exchange.status, exchange.response.body.length, rest]).toEqual([404, 65_536, {}])
  })

  test('a body of another status that drips is given up by its time', async () => {
    const { stream } = await opened(dripping(500), 0.1)
    await expect(stream()).rejects.toThrow(/no complete response within 0\.3.* s.*tried 2 times/)
  })

  test('a streamed body that breaks off is requested once more and then given up', async () => {
    const { stream, received } = await opened((_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('x', () => response.destroy())
    })
    await expect(stream()).rejects.toBeInstanceOf(NoResponse)
    expect(received).toHaveLength(2)
  })

  test('a streamed body that makes almost no progress is given up', async () => {
    const { stream } = await opened(dripping(200), 0.3)
    await expect(stream()).rejects.toThrow(/fewer than 16384 bytes of the body arrived in 0.3 s.*tried 2 times/)
  })

  test.each([429, 503])('a streamed body that is temporarily unavailable (%i) is requested again', async (status) => {
    const { stream } = await opened((_, response, count) =>
      count === 1 ? response.writeHead(status).end() : response.end('tar'),
    )
    expect((await stream()).result).toBe(3)
  })

  test('a streamed body reports the error of its consumer', async () => {
    const { client, received } = await opened((_, response) => response.end('tar'))
    const failing = () => Promise.reject(new TypeError('no archive'))
    await expect(client.stream(archive, failing)).rejects.toThrow(new TypeError('no archive'))
    expect(received).toHaveLength(1)
  })
})
