import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { HeaderLine } from '../../record/exchange-record.ts'
import { Dialect } from '../dialect/dialect.ts'
import { Redactor } from '../redaction/redaction.ts'
import { Exchange } from './exchange.ts'
import { isRedirect, redirectTarget } from './redirect.ts'

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
  ])('a body is read as JSON: %s', (_, body, value) => expect(exchange(body).json).toEqual(value))

  test.each([
    ['nothing', ''],
    ['HTML', '<!doctype html>'],
    ['cut off', '[{"id":'],
    ['noise', Buffer.from([0xff, 0xfe, 0x00, 0x5b])],
  ])('a body that is not JSON is undefined: %s', (_, body) => expect(exchange(body).json).toBeUndefined())

  test('a body that is nested too deeply is not parsed', () => {
    expect(exchange('['.repeat(100_000) + ']'.repeat(100_000)).json).toBeUndefined()
    expect(exchange(`${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`).json).toBeUndefined()
    expect(exchange('['.repeat(900) + ']'.repeat(900)).json).toHaveLength(1)
  })

  test('a body may contain any number of brackets in its strings', () => {
    const text = `${'['.repeat(5000)}"\\`
    expect(exchange(JSON.stringify({ text })).json).toEqual({ text })
  })

  test('a body keeps a member named __proto__ as an ordinary member', () => {
    const dialect = new Dialect({ fields: { avatar_id: 'picture' } })
    const { json } = exchange('{"__proto__":{"picture":"p"}}', [], 200, dialect)
    expect(Object.keys(json as object)).toEqual(['__proto__'])
    expect(({} as Record<string, unknown>).avatar_id).toBeUndefined()
  })
})

describe('a header', () => {
  test('a header is found in any letter case, with the value of its first line', () => {
    const found = exchange('', [
      ['x-poll-INTERVAL', '60'],
      ['X-Poll-Interval', '90'],
    ])
    expect(found.header('X-Poll-Interval')).toBe('60')
    expect(found.header('ETag')).toBeUndefined()
  })

  test('a header is found by the name in the document although the target uses another name', () => {
    const dialect = new Dialect({ headers: { permissions: 'X-Forge-Permissions' } })
    const lines: HeaderLine[] = [['x-forge-permissions', 'metadata=read']]
    expect(exchange('', lines, 200, dialect).header('X-Accepted-Service-Permissions')).toBe('metadata=read')
    expect(exchange('', lines).header('X-Accepted-Service-Permissions')).toBeUndefined()
  })
})

describe('the record', () => {
  test('the record of a cut body contains its full length and hash', () => {
    const { response, durationMs } = exchange('[{"id":"1"}]').record(new Redactor(), 5)
    expect(response).toMatchObject({ body: '[{"id', bodyBytes: 12, truncated: true })
    expect(response.bodySha256).toBe(createHash('sha256').update('[{"id":"1"}]').digest('hex'))
    expect(durationMs).toBe(13)
  })

  test('the record states when nothing was cut', () => {
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

  test.each([301, 302, 303, 307, 308])('the status %i is a redirect', (status) => expect(isRedirect(to('/x', status))).toBe(true))
  test.each([200, 300, 304, 404])('the status %i is not a redirect', (status) => expect(isRedirect(to('/x', status))).toBe(false))

  test.each([
    ['/repositories/1/events', 'http://host.example/repositories/1/events'],
    ['http://host.example/other', 'http://host.example/other'],
    ['other', 'http://host.example/api/other'],
  ])('a redirect within the target is followed to %s', (location, url) =>
    expect(redirectTarget(to(location))).toEqual({ url: new URL(url), sameOrigin: true }),
  )

  test.each(['https://host.example/events', 'http://host.example:8080/', '//elsewhere.example/', 'http://[', undefined])(
    'a redirect to %s leaves the target or cannot be followed',
    (location) => expect(redirectTarget(to(location))?.sameOrigin).not.toBe(true),
  )

  test('a redirect to a file may lead to any http or https URL, and to nothing else', () => {
    expect(redirectTarget(to('https://files.example/a.tar.gz?signature=1'))?.url.href).toBe(
      'https://files.example/a.tar.gz?signature=1',
    )
    for (const location of ['file:///etc/passwd', 'data:,x', 'ftp://files.example/', undefined]) {
      expect(redirectTarget(to(location))).toBeUndefined()
    }
  })
})
