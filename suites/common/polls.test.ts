import { expect, test } from 'vitest'
import { Dialect } from '../../src/http/dialect/dialect.ts'
import { Exchange } from '../../src/http/exchange/exchange.ts'
import { hasMoved } from './polls.ts'

function page(status: number, ...ids: number[]) {
  const request = { method: 'GET', url: 'http://localhost/events', endpoint: 'GET /events', headers: [], as: 'anonymous' }
  const body = Buffer.from(status === 304 ? '' : JSON.stringify(ids))
  return new Exchange('x1', request, { status, headers: [], body }, 1, new Dialect())
}

/** Two pages are the same if their bodies are. */
const listing = { same: (a: Exchange, b: Exchange) => a.body.hash === b.body.hash }

test.each<[what: string, polled: Exchange[], moved: boolean]>([
  ['moved after a 304', [page(304), page(200, 2, 1)], true],
  ['stayed as it was', [page(200, 1)], false],
  ['was emptied', [page(200)], false],
  ['was unmodified alone', [page(304)], false],
  ['was refused once', [page(200, 2, 1), page(403)], false],
])('a polled list that %s', (_, polled, moved) => {
  const tries = polled.map((response) => ({ source: page(200, 1), response }))
  expect(hasMoved(listing, tries)).toBe(moved)
})
