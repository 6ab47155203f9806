import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { json, rawTarget, scriptedTarget } from '../../fixtures/proof/scripted-target.ts'
import { Connection } from './connection.ts'
import { NoAnswer } from './no-answer.ts'
import type { WireRequest } from './wire.ts'

const calm = new AbortController().signal

function open(seconds = 5): Connection {
  const connection = new Connection(seconds * 1000)
  onTestFinished(() => connection.close())
  return connection
}

function get(baseUrl: string, more: Partial<WireRequest> = {}): WireRequest {
  return { method: 'GET', url: `${baseUrl}/events`, headers: [], ...more }
}

describe('a body', () => {
  test.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('a body compressed as %s is decoded', async (encoding, compress) => {
    const { baseUrl } = await scriptedTarget((_, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(compress('[{"id":"1"}]'))
    })
    expect(String((await open().send(get(baseUrl), calm)).body)).toBe('[{"id":"1"}]')
  })

  test('a body that does not match its encoding is not an answer', async () => {
    const { baseUrl } = await scriptedTarget((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('[]')
    })
    await expect(open().send(get(baseUrl), calm)).rejects.toThrow(/the gzip body cannot be decoded/)
  })

  test('a body that decompresses beyond the limit is not an answer', async () => {
    const bomb = gzipSync(Buffer.alloc(65 * 1024 * 1024))
    const { baseUrl } = await scriptedTarget((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    })
    await expect(open().send(get(baseUrl), calm)).rejects.toBeInstanceOf(NoAnswer)
  })

  test('a body that never ends is cut off', async () => {
    const { baseUrl } = await scriptedTarget((_, response) => {
      const chunk = Buffer.alloc(4 * 1024 * 1024, '[')
      const more = () => response.destroyed || (response.write(chunk) ? setImmediate(more) : response.once('drain', more))
      more()
    })
    await expect(open().send(get(baseUrl), calm)).rejects.toThrow(/longer than 67108864 bytes/)
  })

  test('a body that arrives too slowly is cut off', async () => {
    const { baseUrl } = await scriptedTarget((_, response) => {
      const drip = setInterval(() => response.write(' '), 10)
      response.once('close', () => clearInterval(drip))
    })
    await expect(open(0.05).send(get(baseUrl), calm)).rejects.toThrow(/no complete answer within 0\.15\d* s/)
  })
})

describe('responses that are not HTTP', () => {
  test.each([
    ['noise', '\u0000\u0001\u0002\u0003 no http at all\r\n\r\n'],
    ['a status that is no number', 'HTTP/1.1 two-hundred OK\r\n\r\n'],
    ['a header without a name', 'HTTP/1.1 200 OK\r\n: value\r\n\r\n'],
    ['control characters in a header', 'HTTP/1.1 200 OK\r\nETag: "\u0007"\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n[]'],
    ['a chunk of no size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n[]\r\n'],
    ['a body that ends early', 'HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n[]'],
    ['a header block of a megabyte', `HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(1024 * 1024)}\r\n\r\n`],
    ['silence', ''],
  ])('a response that is not HTTP is not an answer: %s', async (_, bytes) => {
    const baseUrl = await rawTarget((socket) => socket.end(bytes, 'latin1'))
    await expect(open().send(get(baseUrl), calm)).rejects.toBeInstanceOf(NoAnswer)
  })
})

describe('an answer', () => {
  test('an answer keeps its header lines as they were received', async () => {
    const baseUrl = await rawTarget((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nETag: W/"a"\r\nx-poll-INTERVAL: 60\r\nVary: a\r\nVary: b\r\nContent-Length: 0\r\n\r\n'),
    )
    const { headers } = await open().send(get(baseUrl), calm)
    expect(headers).toEqual([
      ['ETag', 'W/"a"'],
      ['x-poll-INTERVAL', '60'],
      ['Vary', 'a'],
      ['Vary', 'b'],
      ['Content-Length', '0'],
    ])
  })

  test('an answer that redirects is not followed', async () => {
    const { baseUrl, received } = await scriptedTarget((_, response) => json(response, 302, {}, { location: '/events' }))
    expect((await open().send(get(baseUrl), calm)).status).toBe(302)
    expect(received).toHaveLength(1)
  })

  test('an answer is no longer awaited when the run ends', async () => {
    const { baseUrl } = await scriptedTarget(() => {})
    const ended = new AbortController()
    const answer = open().send(get(baseUrl), ended.signal)
    ended.abort(new Error('the run was interrupted'))
    await expect(answer).rejects.toThrow('the run was interrupted')
  })
})

test('a write never uses a connection that the target may have closed', async () => {
  const uses = new Map<unknown, string[]>()
  const { baseUrl } = await scriptedTarget(({ method }, response) => {
    uses.set(response.socket, [...(uses.get(response.socket) ?? []), method])
    json(response, 200, {})
  })
  const connection = open()
  const methods = ['GET', 'POST', 'GET', 'PATCH', 'GET', 'DELETE', 'GET']
  for (const method of methods) await connection.send(get(baseUrl, { method }), calm)
  expect([...uses.values()].filter((used) => used.some((method) => method !== 'GET'))).toEqual([['POST'], ['PATCH'], ['DELETE']])
})

describe('a tapped answer', () => {
  test.each([
    ['304 without a body', 'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\n\r\n', 0],
    ['304 with a body', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 2\r\n\r\n[]', 2],
    ['304 after early hints', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 304 Not Modified\r\n\r\n', 0],
    ['304 with a body after early hints', 'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 304 Not Modified\r\n\r\n[1]', 3],
    ['204 with a body', 'HTTP/1.1 204 No Content\r\n\r\n{}', 2],
    ['205 of length 0', 'HTTP/1.1 205 Reset Content\r\nContent-Length: 0\r\n\r\n', 0],
    ['205 that is chunked and empty', 'HTTP/1.1 205 Reset Content\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 0],
    ['205 with a body', 'HTTP/1.1 205 Reset Content\r\nContent-Length: 4\r\n\r\nnull', 4],
  ])('a tapped answer counts the bytes after its header block: %s', async (_, bytes, expected) => {
    const baseUrl = await rawTarget((socket) => socket.end(bytes))
    expect((await open().send(get(baseUrl, { tapped: true }), calm)).strayBytes).toBe(expected)
  })

  test('a tapped answer counts bytes that arrive in a separate packet', async () => {
    const baseUrl = await rawTarget((socket) => {
      socket.write('HTTP/1.1 304 Not Modified\r\nETag: "a"\r\n\r\n', () => socket.end('[]'))
    })
    expect((await open().send(get(baseUrl, { tapped: true }), calm)).strayBytes).toBe(2)
  })

  test('a tapped answer still reads a body that is permitted', async () => {
    const { baseUrl } = await scriptedTarget((_, response) => json(response, 200, [1]))
    const answer = await open().send(get(baseUrl, { tapped: true }), calm)
    expect(String(answer.body)).toBe('[1]')
  })
})
