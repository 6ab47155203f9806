import { expect, test } from 'vitest'
import type { HeaderLine } from '../../record/exchange-record.ts'
import { RepeatedValues } from './repeated-values.ts'

type Thread = { repository: { owner: object; topics: unknown[] } }
const repository = (id: number, more = {}) => ({ id, owner: { login: 'octo', id: 1 }, topics: ['a', ['b']], ...more })
const parsed = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value

test('objects and lists that were read before are held once, however deep they are', () => {
  const repeated = new RepeatedValues()
  const read = (value: unknown) => repeated.shared(parsed(value)) as Thread[]
  const [first, second] = [
    read([{ id: 'a', repository: repository(1) }]),
    read([{ id: 'b', repository: repository(1) }, { repository: repository(2) }]),
  ]
  expect(second).toEqual([{ id: 'b', repository: repository(1) }, { repository: repository(2) }])
  expect(second[0]?.repository).toBe(first[0]?.repository)
  expect(second[1]?.repository.owner).toBe(first[0]?.repository.owner)
  expect(second[1]?.repository.topics).toBe(first[0]?.repository.topics)
})

test.each([
  ['another value', { id: 1, name: 'x' }, { id: 1, name: 'y' }],
  ['a value of another type', { id: 1, name: '1' }, { id: 1, name: 1 }],
  ['one member more', { id: 1 }, { id: 1, name: null }],
  ['the members in another order', { id: 1, name: 'x' }, { name: 'x', id: 1 }],
  ['a list', { 0: 'x' }, ['x']],
  ['a negative zero', [1, 0], JSON.parse('[1,-0]')],
  ['another object within', { id: 1, of: { a: true } }, { id: 1, of: { a: false } }],
])('what differs stays different: %s', (_, one, other) => {
  const repeated = new RepeatedValues()
  repeated.shared([one])
  const [shared] = repeated.shared([other]) as unknown[]
  expect(shared).toBe(other)
  expect(JSON.stringify(shared)).toBe(JSON.stringify(other))
})

test('a member named __proto__ stays an ordinary one', () => {
  const repeated = new RepeatedValues()
  const text = '{"__proto__":{"id":1},"of":{"id":1}}'
  for (let read = 0; read < 2; read += 1) expect(JSON.stringify(repeated.shared(JSON.parse(text)))).toBe(text)
})

test('only so much is remembered as has room, and that is what was read last', () => {
  const repeated = new RepeatedValues()
  const read = (id: number) => (repeated.shared([{ id, name: 'x'.repeat(1024 * 1024) }]) as object[])[0]
  const first = read(0)
  expect(read(0)).toBe(first)
  for (let id = 1; id < 30; id += 1) read(id)
  const again = read(0)
  expect(again).not.toBe(first)
  expect(read(0)).toBe(again)
})

test('header lines that were seen before are held once, and told apart by name and value', () => {
  const repeated = new RepeatedValues()
  const [date] = repeated.lines([['Date', 'today']])
  const lines: HeaderLine[] = [
    ['Date', 'today'],
    ['date', 'today'],
    ['a', 'b:c'],
    ['a:b', 'c'],
  ]
  expect(repeated.lines(lines)).toEqual(lines)
  expect(repeated.lines(lines)[0]).toBe(date)
})
