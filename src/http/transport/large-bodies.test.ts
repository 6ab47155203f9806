import { describe, expect, test, vi } from 'vitest'
import { Dialect } from '../dialect/dialect.ts'
import { Exchange } from '../exchange/exchange.ts'
import { refuseOversizedJson } from '../exchange/json-budget.ts'
import { Redactor } from '../redaction/redaction.ts'
import { LargeBodies, roomFor } from './large-bodies.ts'

const MiB = 1024 * 1024
const request = { method: 'GET', url: 'http://127.0.0.1/events', endpoint: 'GET /events', headers: [], as: 'nobody' }
const exchangeOf = (body: Buffer) => new Exchange('x1', request, { status: 200, headers: [], body }, 1, new Dialect())

test.each([
  [MiB, Number.POSITIVE_INFINITY],
  [2 * MiB, 16],
  [15 * MiB, 2],
  [64 * MiB, 2],
])('for bodies of %d bytes there is room for %d at once', (length, room) => {
  expect(roomFor(length)).toBe(room)
})

test('a large body is held for a report by its beginning alone, which reports the same', () => {
  const exchange = exchangeOf(Buffer.alloc(3 * MiB, 'x'))
  const { excerpt } = exchange
  expect(excerpt.response.body.length).toBeLessThan(MiB)
  expect(excerpt).toBe(exchange.excerpt)
  for (const characters of [0, 4096])
    expect(excerpt.record(new Redactor(), characters)).toEqual(exchange.record(new Redactor(), characters))
})

test('any other exchange is held as it is', () => {
  const exchange = exchangeOf(Buffer.alloc(MiB, 'x'))
  expect(exchange.excerpt).toBe(exchange)
})

test.each([
  ['a large body', [{ id: 'x'.repeat(2 * MiB) }]],
  ['a short body of many lists', Array(100_000).fill([])],
])('what is made of %s is held by nobody but those who look at it', async (_, items) => {
  const body = Buffer.from(JSON.stringify(items))
  refuseOversizedJson(body)
  const exchange = exchangeOf(body)
  let lost = false
  const registry = new FinalizationRegistry(() => (lost = true))
  // In a function of its own: one that waits may hold what it has passed on.
  const look = () => registry.register(exchange.json as object, undefined)
  look()
  const large = new LargeBodies(1000)
  for (let count = 0; count < 200 && !lost; count += 1) {
    large.note(Buffer.alloc(13 * MiB))
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  expect(lost).toBe(true)
  expect(exchange.json).toEqual(items)
  expect(exchange.json).toBe(exchange.json)
})

describe('a request while large bodies are held', () => {
  const send = async (full?: Error) => full?.message ?? 'sent'
  const holding = (large: LargeBodies, count: number) =>
    Array.from({ length: count }, () => {
      const body = Buffer.alloc(16 * MiB)
      large.note(body)
      return body
    })

  test('is not sent where those who hold them all wait', async () => {
    const large = new LargeBodies(60_000)
    const held = holding(large, 7)
    expect(await large.whenRoom(send)).toMatch(/^the answers that are being looked at take 96 MiB together/)
    expect(held.length).toBe(7)
  })

  test('is sent when somebody lets go of them, which the collector may see late', async () => {
    const large = new LargeBodies(60_000)
    const held = holding(large, 7)
    large.mayLetGo(() => void held.splice(0))
    await vi.waitFor(async () => expect(await large.whenRoom(send)).toBe('sent'), { timeout: 4000 })
  })

  test('is sent beside others as long as there is room for all answers', async () => {
    const large = new LargeBodies(60_000)
    const held = holding(large, 4)
    const [answers, begun]: [(() => void)[], number[]] = [[], []]
    const slow = (number: number) =>
      large.whenRoom(() => {
        begun.push(number)
        return new Promise<void>((resolve) => answers.push(resolve))
      })
    const sent = [1, 2, 3].map(slow)
    await vi.waitFor(() => expect(begun).toEqual([1, 2]))
    for (const answer of answers.splice(0)) answer()
    held.splice(1)
    await vi.waitFor(() => expect(begun).toEqual([1, 2, 3]))
    for (const answer of answers) answer()
    await Promise.all(sent)
  })
})
