import { expect, test } from 'vitest'
import { Dialect } from '../../http/dialect/dialect.ts'
import { Exchange } from '../../http/exchange/exchange.ts'
import { Redactor } from '../../http/redaction/redaction.ts'
import { ExchangeLog } from './exchange-log.ts'

const endpoint = 'GET /events'

function exchangeOf(id: string, bytes: number): Exchange {
  const request = { method: 'GET', url: 'http://127.0.0.1/events', endpoint, headers: [], as: 'nobody' }
  return new Exchange(id, request, { status: 200, headers: [], body: Buffer.alloc(bytes) }, 1, new Dialect())
}

test('of large bodies so many are kept to be looked up as have room, of others all', () => {
  const log = new ExchangeLog(new Redactor(), { bodies: 'failures', bodyCharacters: 10 })
  for (const [id, MiB] of [
    ['x1', 5],
    ['x2', 5],
    ['x3', 1],
    ['x4', 3],
    ['x5', 2],
  ] as const)
    log.add(exchangeOf(id, MiB * 1024 * 1024))
  for (let count = 0; count < 100; count += 1) log.add(exchangeOf(`y${count}`, 1024 * 1024))
  const ids = log.of(endpoint).map(({ id }) => id)
  expect(ids.slice(0, 3)).toEqual(['x1', 'x3', 'x4'])
  expect(ids).toHaveLength(103)
})
