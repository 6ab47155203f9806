import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { HeaderLine } from '../../record/exchange-record.ts'
import { Redactor } from '../redaction/redaction.ts'
import { Exchange, type Vocabulary } from './exchange.ts'
import { isRedirect, redirectTarget } from './redirect.ts'

/** The words of the document. */
const neutral: Vocabulary = {
  headerName: (name) => name,
  headerValue: (_, value) => value,
  toNeutral: (value) => value,
  wirePointer: (pointer) => pointer,
}

function exchange(body: string | Buffer, headers: HeaderLine[] = [], status = 200) {
  const request = { method: 'GET', url: 'http://host.example/api/events', endpoint: 'GET /events', headers: [], as: 'anonymous' }
  return new Exchange('x1', request, { status, headers, body: Buffer.from(body) }, 12.6, neutral)
}

describe('a body as JSON', () => {
  test.each([
    ['an array', '[1]', [1]],
    ['null', 'null', null],
    ['behind a byte order mark', '\uFEFF{}', {}],
    ['an infinite number', '[1e999]', [Number.POSITIVE_INFINITY]],
    ['nothing', '', undefined],
    ['HTML', '<!doctype html>', undefined],
    ['cut off', '[{"id":', undefined],
    ['noise', Buffer.from([0xff, 0xfe, 0x00, 0x5b]), undefined],
  ])('a body has its value as JSON, or undefined if it is not JSON: %s', (_, body, value) =>
    expect(exchange(body).json).toEqual(value),
  )

  test('a body that is nested too deeply is not parsed', () => {
    expect(exchange('['.repeat(100_000) + ']'.repeat(100_000)).json).toBeUndefined()
    expect(exchange(`${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`).json).toBeUndefined()
    expect(exchange('['.repeat(900) + ']'.repeat(900)).json).toHaveLength(1)
  })

  test('a body may contain any number of brackets in its strings', () => {
    const text = `${'['.repeat(5000)}"\\`
    expect(exchange(JSON.stringify({ text })).json).toEqual({ text })
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
    expect(exchange('[]').record(new Redactor(), 0).response).toMatchObject({ body: '', truncated: true })
  })
})

describe('a response', () => {
  test('long header lines are read as they came', () => {
    const lines = Array.from({ length: 300 }, (_, index) => ['Set-Cookie', `c${index}=${'x'.repeat(40)}: ä`] as const)
    const response = exchange('', [...lines, ['ETag', '"1"']])
    expect(response.head.length).toBeGreaterThan(16_000)
    expect([response.headers, response.header('etag')]).toEqual([[...lines, ['ETag', '"1"']], '"1"'])
  })

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
    [422, [['Retry-After', '60']], ['throttled']],
    [403, [['X-RateLimit-Remaining', '9']], ['refused']],
    [422, [], []],
    [429, [], ['throttled']],
    [501, [], ['broken']],
    [503, [], []],
  ])('with the status %i and the headers %j is %j', (status, headers, kinds) =>
    expect(kindsOf(exchange('', headers, status))).toEqual(kinds),
  )

  test.each<[type: string, kinds: string[]]>([
    ['text/html; charset=utf-8', []],
    ['Text/HTML', []],
    ['application/json', ['ok']],
  ])('with the status 200 and the type %s behind a redirect is %j', (type, kinds) => {
    const { request, response } = exchange('', [['Content-Type', type]])
    const redirected = { ...request, redirectedFrom: 'http://host.example/events' }
    expect(kindsOf(new Exchange('x1', redirected, { ...response, headers: [['Content-Type', type]] }, 1, neutral))).toEqual(kinds)
  })
})

describe('a redirect', () => {
  const to = (location: string | undefined, status = 302) =>
    exchange('', location === undefined ? [] : [['Location', location]], status)

  test('the statuses 301, 302, 303, 307 and 308 are redirects', () => {
    const statuses = [200, 300, 301, 302, 303, 304, 307, 308, 404]
    expect(statuses.filter((status) => isRedirect(to('/x', status)))).toEqual([301, 302, 303, 307, 308])
  })

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

describe('the record of an exchange with secrets', () => {
  const secret = 'ghp/se"cr+et=7f3a'
  const redactor = () => {
    const made = new Redactor()
    made.add(secret, 'OWNER_TOKEN')
    return made
  }
  const url = `http://127.0.0.1/events?token=${encodeURIComponent(secret)}`
  const body = JSON.stringify({ echoed: secret })
  const headers = [['Authorization', `Bearer ${secret}`]] as const
  const request = { method: 'PUT', url, endpoint: 'PUT /notifications', headers, body, as: 'OWNER_TOKEN' }
  const response = {
    status: 200,
    headers: [['X-Echo', Buffer.from(secret).toString('base64')]] as const,
    body: Buffer.from(body),
  }
  const secretive = new Exchange('x1', request, response, 1.4, neutral)

  test('the record of an exchange contains no secret in its URL, headers or bodies', () => {
    const text = JSON.stringify(secretive.record(redactor(), 4096))
    expect(text).not.toContain('7f3a')
    expect(text).not.toContain(Buffer.from(secret).toString('base64'))
    expect(text.match(/\$OWNER_TOKEN/g)).toHaveLength(5)
  })

  test('the record of an exchange names the caller instead of any token, however short', () => {
    const short = new Exchange('x1', { ...request, headers: [['authorization', 'Bearer abc']] }, response, 1, neutral)
    expect(short.record(new Redactor(), 10).request.headers).toEqual([['authorization', 'Bearer $OWNER_TOKEN']])
  })

  test('the record of a long body that is full of secrets contains no part of one', () => {
    const escaped = [...secret].map((sign) => `&#${sign.charCodeAt(0)};`).join('')
    const full = new Exchange('x1', request, { ...response, body: Buffer.from(escaped.repeat(20_000)) }, 1, neutral)
    expect(full.record(redactor(), 100_000).response).toMatchObject({ body: expect.not.stringContaining('&'), truncated: true })
  })

  test('the record of an exchange cuts a body only after its secrets are replaced', () => {
    for (let limit = 1; limit < body.length; limit += 1) {
      const { response: kept } = secretive.record(redactor(), limit)
      expect(kept.body?.length).toBeLessThanOrEqual(limit)
      expect(kept.body).not.toMatch(/ghp/)
    }
  })
})
