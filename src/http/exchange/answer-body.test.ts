import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { Dialect } from '../dialect/dialect.ts'
import { Redactor } from '../redaction/redaction.ts'
import { AnswerBodies, Body } from './answer-body.ts'
import { Exchange } from './exchange.ts'

const MiB = 1024 * 1024
const list = (count: number) => Buffer.from(JSON.stringify(Array.from({ length: count }, (_, id) => ({ id, title: 'é' }))))

test('a packed body has the same bytes, hash and JSON', () => {
  const bytes = list(2000)
  const [body, packed] = [new Body(bytes), new Body(Buffer.from(bytes))]
  packed.pack()
  packed.pack()
  expect(packed.bytes.equals(bytes)).toBe(true)
  expect([packed.hash, packed.length]).toEqual([body.hash, bytes.length])
  expect(packed.sent).toEqual(body.sent)
  expect(packed.sent).toBe(packed.sent)
})

test('an exchange reports the same of a packed body', () => {
  const body = new Body(list(2000))
  const request = { method: 'GET', url: 'http://h/', endpoint: 'GET /events', headers: [], as: 'nobody' }
  const exchange = new Exchange('x1', request, { status: 200, headers: [], body: body.bytes }, 1, new Dialect(), body)
  const reported = () => [0, 100, MiB].map((characters) => exchange.record(new Redactor(), characters))
  const before = [reported(), exchange.json, exchange.length]
  body.pack()
  expect([reported(), exchange.json, exchange.length]).toEqual(before)
  expect(exchange.response.body.equals(list(2000))).toBe(true)
})

test('bodies that came before others of 4 MiB are packed, but for small and for large ones', () => {
  const bodies = new AnswerBodies()
  const came = [100, MiB, 2 * MiB, MiB, MiB, MiB, MiB].map((length) => randomBytes(length))
  const held = came.map((bytes) => bodies.of(bytes))
  for (const body of held) bodies.add(body)
  // What is packed is unpacked for each reader.
  expect(held.map(({ bytes }, at) => bytes === came[at])).toEqual([true, false, true, true, true, true, true])
  expect(held.every(({ bytes }, at) => bytes.equals(came[at] as Buffer))).toBe(true)
})

test('the parts of bodies of one target are shared, those of a dialect too', () => {
  const bodies = new AnswerBodies()
  const read = (text: string) => bodies.of(Buffer.from(text)).json(new Dialect({ fields: { reason: 'why' } }), undefined)
  const [a, b] = ['[1,{"id":1,"why":"x"}]', '[2,{"id":1,"why":"x"}]'].map((text) => (read(text) as unknown[])[1])
  expect(a).toEqual({ id: 1, reason: 'x' })
  expect(b).toBe(a)
})
