import { expect, test } from 'vitest'
import type { Config } from '../../config/config.ts'
import { Dialect } from '../../http/dialect/dialect.ts'
import { Exchange } from '../../http/exchange/exchange.ts'
import { Redactor } from '../../http/redaction/redaction.ts'
import type { HeaderLine } from '../../record/exchange-record.ts'
import { ExchangeLog } from './exchange-log.ts'

const endpoint = 'GET /events'

const openLog = (bodies: Config['report']['bodies'] = 'failures') =>
  new ExchangeLog(new Redactor(), { bodies, bodyCharacters: 10 })

/** An exchange with a body of its own. */
function exchangeOf(id: string, bytes: number, headers: readonly HeaderLine[] = []) {
  const request = { method: 'GET', url: 'http://127.0.0.1/events', endpoint, headers: [], as: 'anonymous' }
  return new Exchange(id, request, { status: 200, headers, body: Buffer.alloc(bytes, `xxx${id}`) }, 1, new Dialect())
}

test('exchanges are kept for later checks until their different bodies take 40 MiB', () => {
  const log = openLog()
  const [large, small] = [exchangeOf('x1', 38 * 1024 * 1024), exchangeOf('x2', 1024 * 1024)]
  for (const exchange of [large, large, exchangeOf('x3', 5 * 1024 * 1024), small]) log.add(exchange)
  expect(log.of(endpoint).map(({ id }) => id)).toEqual(['x1', 'x1', 'x2'])
})

test('exchanges below 64 KiB are kept for later checks until all take 48 MiB', () => {
  const log = openLog()
  for (let count = 0; count < 50; count += 1) log.add(exchangeOf(`long${count}`, 1024 * 1024))
  const long = log.of(endpoint).length
  for (let count = 0; count < 300; count += 1) log.add(exchangeOf(`short${count}`, 63 * 1024))
  expect([long, log.of(endpoint).length]).toEqual([40, 40 + 130])
})

/** A header block of 1 MiB. */
const longHead: readonly HeaderLine[] = Array.from({ length: 1024 }, (_, index) => [`h${index}`, 'v'.repeat(1024)])

test('headers count as bodies do: exchanges are kept for later checks until their headers take 40 MiB', () => {
  const log = openLog()
  for (let count = 0; count < 60; count += 1) log.add(exchangeOf(`x${count}`, 1, longHead))
  expect(log.of(endpoint).length).toBeLessThan(40)
  expect(log.of(endpoint)[7]?.headers).toEqual(longHead)
  expect(log.of(endpoint)[7]?.header('H9')).toBe(longHead[9]?.[1])
})

test('records contain the responses until their headers take 8 MiB, and every request', () => {
  const log = openLog()
  for (let count = 0; count < 40; count += 1) log.keep([exchangeOf(`x${count}`, 1, longHead)], 'failed')
  const withHead = log.records.filter(({ response }) => response.headers)
  expect([withHead.length, log.records.length]).toEqual([7, 40])
  expect(withHead.at(-1)?.response.headers).toEqual(longHead)
  expect(log.records.every(({ request }) => request.headers)).toBe(true)
})

const line = { request: ['method', 'url'], response: ['status', 'bodyBytes'] }
const whole = {
  request: ['method', 'url', 'headers'],
  response: ['status', 'headers', 'body', 'bodyBytes', 'bodySha256', 'truncated'],
}

test.each([
  ['failures', 'passed', line, undefined],
  ['failures', 'inapplicable', line, undefined],
  ['failures', 'untested', whole, ''],
  ['failures', 'failed', whole, 'xxx'],
  ['failures', 'errored', whole, 'xxx'],
  ['none', 'passed', line, undefined],
  ['none', 'failed', whole, ''],
  ['all', 'passed', whole, 'xxx'],
] as const)(
  'with the bodies of %s, the exchange of a check that is %s has these members: %j',
  (bodies, outcome, members, body) => {
    const log = openLog(bodies)
    log.keep([exchangeOf('x1', 3)], outcome)
    const [record] = log.records
    const membersOf = (part: object | undefined) => Object.keys(part ?? {}).sort()
    expect(membersOf(record?.request)).toEqual([...members.request].sort())
    expect(membersOf(record?.response)).toEqual([...members.response].sort())
    expect(record?.response.body).toBe(body)
  },
)

test('an exchange that a passed and then a failed check read is recorded whole', () => {
  const log = openLog()
  for (const outcome of ['passed', 'failed', 'passed'] as const) log.keep([exchangeOf('x1', 3)], outcome)
  expect(log.records).toHaveLength(1)
  expect(log.records[0]?.response.body).toBe('xxx')
})
