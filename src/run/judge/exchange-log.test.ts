import { expect, test } from 'vitest'
import { Dialect } from '../../http/dialect.ts'
import { Exchange } from '../../http/exchange.ts'
import { Redactor } from '../../http/redaction.ts'
import { ExchangeLog } from './exchange-log.ts'

const endpoint = 'GET /events'

function exchangeOf(id: string, bytes: number): Exchange {
  const request = { method: 'GET', url: 'http://127.0.0.1/events', endpoint, headers: [], as: 'nobody' }
  return new Exchange(id, request, { status: 200, headers: [], body: Buffer.alloc(bytes) }, 1, new Dialect())
}

test('what is kept to be looked up is bounded: the first exchanges that have room', () => {
  const log = new ExchangeLog(new Redactor(), { bodies: 'failures', bodyCharacters: 10 })
  for (const id of ['x1', 'x2', 'x3', 'x4']) log.add(exchangeOf(id, 15 * 1024 * 1024))
  expect(log.of(endpoint).map(({ id }) => id)).toEqual(['x1', 'x2'])
})
