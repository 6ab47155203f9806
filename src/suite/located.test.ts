import { expect, test } from 'vitest'
import { Dialect } from '../http/dialect/dialect.ts'
import { Exchange } from '../http/exchange/exchange.ts'
import { distinctItems, itemsOf, member, objectsWithin } from './located.ts'

function exchange(body: unknown) {
  const request = { method: 'GET', url: 'http://h/', endpoint: 'GET /events', headers: [], as: 'anonymous' }
  const response = { status: 200, headers: [], body: Buffer.from(JSON.stringify(body)) }
  return new Exchange('x1', request, response, 1, new Dialect())
}

test('the items of an array are located by their positions, and other bodies have none', () => {
  expect(itemsOf(exchange(['a', 'b'])).map(({ value, pointer }) => [value, pointer])).toEqual([
    ['a', '/0'],
    ['b', '/1'],
  ])
  expect(itemsOf(exchange({ length: 1, 0: 'a' }))).toEqual([])
})

test('an item in several bodies is located once, also when more bodies are read later', () => {
  const pages = [exchange([{ id: 1 }, { id: 2 }]), exchange([{ id: 2 }, { id: 3 }])]
  expect(distinctItems(pages).map(({ value }) => value)).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
  pages.push(exchange([{ id: 1 }, { id: 1, more: true }]))
  expect(distinctItems(pages)).toHaveLength(4)
  expect(distinctItems([])).toEqual([])
})

test('distinct items are read no further when they take much memory, and small ones are all read', () => {
  const pages = Array.from({ length: 30 }, (_, index) => exchange([`${index}${'x'.repeat(1024 * 1024)}`]))
  expect(distinctItems(pages)).toHaveLength(24)
  expect(distinctItems(pages.map((_, index) => exchange([index])))).toHaveLength(30)
})

test('a body of very many items counts all of them, and the first ones are examined', () => {
  const many = exchange(Array.from({ length: 50_001 }, (_, index) => index))
  expect([many.count, itemsOf(many).length, itemsOf(many).at(-1)?.pointer]).toEqual([50_001, 50_000, '/49999'])
})

test('every object at any depth is located by an escaped pointer', () => {
  const found = objectsWithin(exchange([{ 'a/b': { '~c': [{ deep: 1 }] } }, 'text', null]))
  expect(found.map(({ pointer }) => pointer)).toEqual(['/0', '/0/a~1b', '/0/a~1b/~0c/0'])
  expect(objectsWithin(exchange({ a: 1 })).map(({ pointer }) => pointer)).toEqual([''])
  expect(objectsWithin(exchange('text'))).toEqual([])
})

test('a member is located only when it is an own property', () => {
  const [event] = itemsOf(exchange([{ payload: null }]))
  if (!event) throw new Error('no event')
  expect(member(event, 'payload')).toMatchObject({ value: null, pointer: '/0/payload' })
  expect(member(event, 'toString')).toBeUndefined()
  expect(member({ ...event, value: 'text' }, 'length')).toBeUndefined()
})
