import { expect, test } from 'vitest'
import { Dialect } from '../../http/dialect/dialect.ts'
import { Exchange } from '../../http/exchange/exchange.ts'
import { Redactor } from '../../http/redaction/redaction.ts'
import { ExchangeLog } from './exchange-log.ts'

const endpoint = 'GET /events'

function exchangeOf(id: string, bytes: number): Exchange {
  const request = { method: 'GET', url: 'http://127.0.0.1/events', endpoint, headers: [], as: 'nobody' }
  return new Exchange(id, request, { status: 200, headers: [], body: Buffer.alloc(bytes, id) }, 1, new Dialect())
}

test('exchanges are kept for later checks until their different bodies take 64 MiB', () => {
  const log = new ExchangeLog(new Redactor(), { bodies: 'failures', bodyCharacters: 10 })
  const [large, small] = [exchangeOf('x1', 60 * 1024 * 1024), exchangeOf('x2', 1024 * 1024)]
  for (const exchange of [large, large, exchangeOf('x3', 5 * 1024 * 1024), small]) log.add(exchange)
  expect(log.of(endpoint).map(({ id }) => id)).toEqual(['x1', 'x1', 'x2'])
})
