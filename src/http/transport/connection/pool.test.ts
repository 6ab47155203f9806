import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { json, rawTarget, scriptedTarget } from '../../../../fixtures/samples/target/scripted-target.ts'
import type { WireRequest } from '../../exchange/exchange.ts'
import { NoResponse } from '../../exchange/no-response.ts'
import { ConnectionPool } from './pool.ts'

const calm = new AbortController().signal

/** A pool, and a function that sends a request through it to one target. */
function open(baseUrl: string, seconds = 5) {
  const connection = new ConnectionPool(seconds * 1000)
  onTestFinished(() => connection.close())
  const send = (more: Partial<WireRequest> = {}, signal = calm) =>
    connection.send({ method: 'GET', url: `${baseUrl}/events`, headers: [], ...more }, signal)
  return { connection, send }
}

/** Sends one request to a target that writes these bytes and closes the connection. */
async function received(bytes: string, more: Partial<WireRequest> = {}) {
  const baseUrl = await rawTarget((socket) => socket.end(bytes, 'latin1'))
  return open(baseUrl).send(more)
}

/** Sends one request to a target that responds in this way, and waits for so many seconds. */
async function served(respond: (response: ServerResponse) => unknown, seconds?: number) {
  const { baseUrl } = await scriptedTarget((_, response) => respond(response))
  return open(baseUrl, seconds).send()
}

/** Responds with a body in a content coding. */
const coded = (coding: string, body: string | Buffer) =>
  served((response) => response.writeHead(200, { 'content-encoding': coding }).end(body))

describe('the headers', () => {
  test.each([
    ['of a megabyte', `X-Long: ${'x'.repeat(1024 * 1024)}\r\n`, false],
    ['of 1,500 short lines', Array.from({ length: 1500 }, (_, line) => `X-Short-${line}: ${line}\r\n`).join(''), false],
    ['of a megabyte, of a tapped response', `X-Long: ${'x'.repeat(1024 * 1024)}\r\n`, true],
  ])('%s are longer than the limit', async (_, lines, tapped) => {
    await expect(received(`HTTP/1.1 200 OK\r\n${lines}Content-Length: 0\r\n\r\n`, { tapped })).rejects.toMatchObject({
      message: expect.stringMatching(/headers are longer than .*limits\.headerBytes/),
      traits: { final: true },
    })
  })

  test('below the limit are accepted', async () => {
    const cookies = Array.from({ length: 300 }, (_, line) => `Set-Cookie: c${line}=${'x'.repeat(100)}\r\n`).join('')
    const { headers } = await received(`HTTP/1.1 200 OK\r\n${cookies}Content-Length: 0\r\n\r\n`)
    expect(headers).toHaveLength(301)
  })
})

describe('a body', () => {
  test.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('a body compressed as %s is decoded', async (encoding, compress) => {
    expect(String((await coded(encoding, compress('[{"id":"1"}]'))).body)).toBe('[{"id":"1"}]')
  })

  test('a body that does not match its encoding is not a response', async () => {
    await expect(coded('gzip', '[]')).rejects.toThrow(/the gzip body cannot be decoded/)
  })

  test.each([
    ['one after the other', 'gzip, gzip', (text: string) => gzipSync(gzipSync(text)), '[]'],
    ['and an identity', 'identity, gzip', (text: string) => gzipSync(text), '[]'],
    ['that is unknown', 'sdch', (text: string) => gzipSync(text), /in a content coding that is not known: "sdch"/],
    ['a name for plain JSON', 'utf-8', (text: string) => Buffer.from(text), '[]'],
    ['too many', 'gzip, gzip, gzip, gzip', (text: string) => Buffer.from(text), /has 4 content codings/],
  ])('content codings, %s', async (_, coding, encode, comes) => {
    const response = coded(coding, encode('[]'))
    if (typeof comes === 'string') expect((await response).body.toString()).toBe(comes)
    else await expect(response).rejects.toThrow(comes)
  })

  test('a body that decompresses beyond the limit is not a response', async () => {
    const bomb = gzipSync(Buffer.alloc(17 * 1024 * 1024))
    await expect(coded('gzip', bomb)).rejects.toBeInstanceOf(NoResponse)
  })

  test('a body that never ends is cut off', async () => {
    const chunk = Buffer.alloc(4 * 1024 * 1024, '[')
    const endless = served((response) => {
      const more = () => response.destroyed || (response.write(chunk) ? setImmediate(more) : response.once('drain', more))
      more()
    })
    await expect(endless).rejects.toThrow(/longer than 8388608 bytes/)
  })

  test.each([
    ['nests too deep', '['.repeat(1001) + ']'.repeat(1001), 'the JSON body nests deeper than 1000 levels'],
    ['has too many values', `[${'{},'.repeat(600_000)}{}]`, 'the JSON body has more than 500000 values'],
  ])('a JSON body that %s is not a response', async (_, body, reason) => {
    await expect(served((response) => response.end(body))).rejects.toThrow(reason)
  })

  test('a body that arrives too slowly is cut off', async () => {
    const slow = served((response) => {
      const drip = setInterval(() => response.write(' '), 10)
      response.once('close', () => clearInterval(drip))
    }, 0.3)
    await expect(slow).rejects.toThrow(/no complete response within 0.9 s/)
  })
})

describe('responses that are not HTTP', () => {
  const invalid = 'the response is not valid HTTP/1.1: '

  test.each([
    ['noise', '\u0000\u0001\u0002\u0003 no http at all\r\n\r\n', ''],
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', invalid],
    ['another version', 'HTTP/3.0 200 OK\r\n\r\n', 'Invalid HTTP version'],
    ['a status that is no number', 'HTTP/1.1 two-hundred OK\r\n\r\n', ''],
    ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n', 'Invalid status code'],
    ['an upgrade that nobody asked for', 'HTTP/1.1 101 Switching Protocols\r\n\r\n', invalid],
    ['a header without a name', 'HTTP/1.1 200 OK\r\n: value\r\n\r\n', ''],
    ['control characters in a header', 'HTTP/1.1 200 OK\r\nETag: "\u0007"\r\n\r\n', ''],
    [
      'two lengths',
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n[]',
      `${invalid}Response body length does not match content-length header`,
    ],
    ['a chunk of no size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n[]\r\n', ''],
    [
      'a body that ends early',
      'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[]',
      'the target closed the connection within its response',
    ],
    ['silence', '', 'the target closed the connection before it answered'],
  ])('a response that is not HTTP is not a response, and the reason names its fault: %s', async (_, bytes, reason) => {
    const error = await received(bytes).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(NoResponse)
    expect(String(error)).toContain(reason)
  })
})

describe('a kept connection that the target has closed', () => {
  const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]'

  test.each<[string, (socket: Socket) => unknown]>([
    ['closes', (socket) => socket.end()],
    ['resets', (socket) => socket.resetAndDestroy()],
  ])('a request is sent again at once when the target %s a connection that it kept', async (_, lose) => {
    const uses = new Map<Socket, number>()
    const baseUrl = await rawTarget((socket) => {
      uses.set(socket, (uses.get(socket) ?? 0) + 1)
      if (uses.get(socket) === 1) socket.write(ok)
      else lose(socket)
    })
    const { send } = open(baseUrl)
    for (let time = 0; time < 6; time += 1) expect((await send()).status).toBe(200)
    expect([...uses.values()].filter((count) => count === 2).length).toBeGreaterThan(0)
  })

  test('a request that is lost on a new connection is not sent again by the connection', async () => {
    let seen = 0
    const baseUrl = await rawTarget((socket) => {
      seen += 1
      socket.destroy()
    })
    await expect(open(baseUrl).send()).rejects.toThrow(/before it answered/)
    expect(seen).toBe(1)
  })

  test('a response that was begun is not requested again', async () => {
    let seen = 0
    const baseUrl = await rawTarget((socket, count) => {
      seen = count
      if (count === 1) socket.write(ok)
      else socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[')
    })
    const { send } = open(baseUrl)
    await send()
    await expect(send()).rejects.toThrow(/within its response/)
    expect(seen).toBe(2)
  })
})

describe('a response', () => {
  test.each([
    ['100 Continue', 'HTTP/1.1 100 Continue\r\n\r\n'],
    [
      'several interim responses',
      'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 199 Odd\r\n\r\n',
    ],
    ['an empty line', '\r\n'],
  ])('a response is read behind %s', async (_, before) => {
    const baseUrl = await rawTarget((socket) => {
      for (const byte of `${before}HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n`) socket.write(byte)
    })
    const { status, headers } = await open(baseUrl).send()
    expect([status, headers]).toEqual([304, [['Content-Length', '7']]])
  })

  test('a response to a write is read behind an unrequested 100 Continue', async () => {
    const baseUrl = await rawTarget((socket) =>
      socket.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 205 Reset\r\nContent-Length: 0\r\n\r\n'),
    )
    expect((await open(baseUrl).send({ method: 'PUT', body: '{}' })).status).toBe(205)
  })

  test('a response does not count bytes that the target sends behind all of its responses as a body', async () => {
    const baseUrl = await rawTarget((socket, count) => {
      socket.write(
        count % 2 === 1 ? 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]stray' : 'HTTP/1.1 304 Not Modified\r\n\r\nstray',
      )
    })
    const { connection, send } = open(baseUrl)
    expect(String((await send({ tapped: true })).body)).toBe('[]')
    await expect(send({ tapped: true })).rejects.toThrow('5 bytes followed the end of the response')
    expect(String((await send()).body)).toBe('[]')
    expect(connection.notes).toEqual([expect.stringContaining('bytes after the end of its responses')])
  })

  test('a response may be chunked, with extensions and trailers', async () => {
    const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;x=y\r\n[\r\n1\r\n]\r\n0\r\nX-After: 1\r\n\r\n'
    const baseUrl = await rawTarget((socket) => {
      for (const byte of chunked) socket.write(byte)
    })
    const { connection, send } = open(baseUrl)
    for (let time = 0; time < 3; time += 1) expect(String((await send()).body)).toBe('[]')
    expect(connection.notes).toEqual([])
  })

  test('a response keeps its header lines as they were received', async () => {
    const { headers } = await received(
      'HTTP/1.1 200 OK\r\nETag: W/"a"\r\nx-poll-INTERVAL: 60\r\nVary: a\r\nVary: b\r\nContent-Length: 0\r\n\r\n',
    )
    expect(headers).toEqual([
      ['ETag', 'W/"a"'],
      ['x-poll-INTERVAL', '60'],
      ['Vary', 'a'],
      ['Vary', 'b'],
      ['Content-Length', '0'],
    ])
  })

  test('a response that redirects is not followed', async () => {
    const { baseUrl, received } = await scriptedTarget((_, response) => json(response, 302, {}, { location: '/events' }))
    expect((await open(baseUrl).send()).status).toBe(302)
    expect(received).toHaveLength(1)
  })

  test('a response is no longer awaited when the run ends', async () => {
    const { baseUrl } = await scriptedTarget(() => {})
    const ended = new AbortController()
    const response = open(baseUrl).send({}, ended.signal)
    ended.abort(new Error('the run was interrupted'))
    await expect(response).rejects.toThrow('the run was interrupted')
  })
})

test('a write uses a connection of its own', async () => {
  const uses = new Map<unknown, string[]>()
  const { baseUrl } = await scriptedTarget(({ method }, response) => {
    uses.set(response.socket, [...(uses.get(response.socket) ?? []), method])
    json(response, 200, {})
  })
  const { send } = open(baseUrl)
  for (const method of ['GET', 'POST', 'GET', 'PATCH', 'GET', 'DELETE', 'GET']) await send({ method })
  const withWrites = [...uses.values()].filter((used) => used.some((method) => method !== 'GET'))
  expect(withWrites).toEqual([['POST'], ['PATCH'], ['DELETE']])
})

describe('a tapped response', () => {
  test.each([
    ['304 without a body', 'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\n\r\n', 0],
    ['304 with a body', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 2\r\n\r\n[]', 2],
    ['304 after early hints', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 304 Not Modified\r\n\r\n', 0],
    ['304 with a body after early hints', 'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 304 Not Modified\r\n\r\n[1]', 3],
    ['204 with a body', 'HTTP/1.1 204 No Content\r\n\r\n{}', 2],
    ['205 of length 0', 'HTTP/1.1 205 Reset Content\r\nContent-Length: 0\r\n\r\n', 0],
    ['205 that is chunked and empty', 'HTTP/1.1 205 Reset Content\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 0],
    ['205 with a body', 'HTTP/1.1 205 Reset Content\r\nContent-Length: 4\r\n\r\nnull', 4],
    ['205 with a body behind a length of 0', 'HTTP/1.1 205 Reset Content\r\nContent-Length: 0\r\n\r\nnull', 4],
  ])('a tapped response counts the bytes after its header block: %s', async (_, bytes, expected) => {
    const { strayBytes = 0, body } = await received(bytes, { tapped: true })
    expect(strayBytes + body.length).toBe(expected)
  })

  test('a tapped response counts bytes that arrive in a separate packet', async () => {
    const baseUrl = await rawTarget((socket) => {
      socket.write('HTTP/1.1 304 Not Modified\r\nETag: "a"\r\n\r\n', () => socket.end('[]'))
    })
    expect((await open(baseUrl).send({ tapped: true })).strayBytes).toBe(2)
  })

  test('a tapped response still reads a body that is permitted', async () => {
    const { body } = await received('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n[1]', { tapped: true })
    expect(String(body)).toBe('[1]')
  })
})
