import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { HeaderLine } from '../record/exchange-record.ts'
import { Dialect } from './dialect.ts'
import { Exchange } from './exchange.ts'
import { Redactor } from './redaction.ts'
import { isRedirect, redirectTarget, redirectWithin } from './redirect.ts'

function exchange(body: string | Buffer, headers: HeaderLine[] = [], status = 200, dialect = new Dialect()): Exchange {
  const request = { method: 'GET', url: 'http://host.example/api/events', endpoint: 'GET /events', headers: [], as: 'anonymous' }
  return new Exchange('x1', request, { status, headers, body: Buffer.from(body) }, 12.6, dialect)
}

describe('a body as JSON', () => {
  test.each([
    ['an array', '[1]', [1]],
    ['null', 'null', null],
    ['behind a byte order mark', '\uFEFF{}', {}],
    ['an infinite number', '[1e999]', [Number.POSITIVE_INFINITY]],
  ])('is read: %s', (_, body, value) => expect(exchange(body).json).toEqual(value))

  test.each([
    ['nothing', ''],
    ['HTML', '<!doctype html>'],
    ['cut off', '[{"id":'],
    ['noise', Buffer.from([0xff, 0xfe, 0x00, 0x5b])],
  ])('is undefined where it is none: %s', (_, body) => expect(exchange(body).json).toBeUndefined())

  test('is not read where it nests deeper than anything could look through', () => {
    expect(exchange('['.repeat(100_000) + ']'.repeat(100_000)).json).toBeUndefined()
    expect(exchange(`${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`).json).toBeUndefined()
    expect(exchange('['.repeat(900) + ']'.repeat(900)).json).toHaveLength(1)
  })

  test('may hold as many brackets in its strings as it likes', () => {
    const text = `${'['.repeat(5000)}"\\`
    expect(exchange(JSON.stringify({ text })).json).toEqual({ text })
  })

  test('shows a member named __proto__ as what it is', () => {
    const dialect = new Dialect({ fields: { avatar_id: 'picture' } })
    const { json } = exchange('{"__proto__":{"picture":"p"}}', [], 200, dialect)
    expect(Object.keys(json as object)).toEqual(['__proto__'])
    expect(({} as Record<string, unknown>).avatar_id).toBeUndefined()
  })
})

describe('a header', () => {
  test('is found in any letter case, its first line', () => {
    const found = exchange('', [
      ['x-poll-INTERVAL', '60'],
      ['X-Poll-Interval', '90'],
    ])
    expect(found.header('X-Poll-Interval')).toBe('60')
    expect(found.header('ETag')).toBeUndefined()
  })

  test("is found by the document's name under the target's", () => {
    const dialect = new Dialect({ headers: { permissions: 'X-Forge-Permissions' } })
    const lines: HeaderLine[] = [['x-forge-permissions', 'metadata=read']]
    expect(exchange('', lines, 200, dialect).header('X-Accepted-Service-Permissions')).toBe('metadata=read')
    expect(exchange('', lines).header('X-Accepted-Service-Permissions')).toBeUndefined()
  })
})

describe('the record', () => {
  test('holds a cut body with its whole length and hash', () => {
    const { response, durationMs } = exchange('[{"id":"1"}]').record(new Redactor(), 5)
    expect(response).toMatchObject({ body: '[{"id', bodyBytes: 12, truncated: true })
    expect(response.bodySha256).toBe(createHash('sha256').update('[{"id":"1"}]').digest('hex'))
    expect(durationMs).toBe(13)
  })

  test('says when nothing was cut', () => {
    expect(exchange('[]').record(new Redactor(), 2).response).toMatchObject({ body: '[]', truncated: false })
  })
})

describe('an answer', () => {
  const kindsOf = ({ ok, refused, throttled, broken }: Exchange) =>
    Object.entries({ ok, refused, throttled, broken })
      .filter(([, is]) => is)
      .map(([kind]) => kind)

  test.each<[status: number, headers: HeaderLine[], kinds: string[]]>([
    [204, [], ['ok']],
    [302, [], []],
    [401, [], ['refused']],
    [404, [], ['refused']],
    [403, [], ['refused']],
    [403, [['Retry-After', '60']], ['throttled']],
    [403, [['X-RateLimit-Remaining', '0']], ['throttled']],
    [403, [['X-RateLimit-Remaining', '9']], ['refused']],
    [422, [], []],
    [429, [], ['throttled']],
    [501, [], ['broken']],
    [503, [], []],
  ])('with the status %i and the headers %j is %j', (status, headers, kinds) =>
    expect(kindsOf(exchange('', headers, status))).toEqual(kinds),
  )
})

describe('a redirect', () => {
  const to = (location: string | undefined, status = 302) =>
    exchange('', location === undefined ? [] : [['Location', location]], status)

  test.each([301, 302, 303, 307, 308])('is what %i is', (status) => expect(isRedirect(to('/x', status))).toBe(true))
  test.each([200, 300, 304, 404])('is not what %i is', (status) => expect(isRedirect(to('/x', status))).toBe(false))

  test.each([
    ['/repositories/1/events', 'http://host.example/repositories/1/events'],
    ['http://host.example/other', 'http://host.example/other'],
    ['other', 'http://host.example/api/other'],
  ])('within the target leads to %s', (location, url) => expect(redirectWithin(to(location))).toBe(url))

  test.each(['https://host.example/events', 'http://host.example:8080/', '//elsewhere.example/', 'http://[', undefined])(
    'to %s leaves the target or leads nowhere',
    (location) => expect(redirectWithin(to(location))).toBeUndefined(),
  )

  test('to a file leads anywhere over http or https, and nowhere else', () => {
    expect(redirectTarget(to('https://files.example/a.tar.gz?signature=1'))?.href).toBe(
      'https://files.example/a.tar.gz?signature=1',
    )
    for (const location of ['file:///etc/passwd', 'data:,x', 'ftp://files.example/', undefined]) {
      expect(redirectTarget(to(location))).toBeUndefined()
    }
  })
})
