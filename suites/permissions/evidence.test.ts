import { describe, expect, test } from 'vitest'
import { Dialect } from '../../src/http/dialect/dialect.ts'
import { Exchange } from '../../src/http/exchange/exchange.ts'
import { differences, leaks } from './evidence.ts'

function answered(status: number, body?: unknown, headers: [string, string][] = []) {
  const request = { method: 'GET', url: 'http://localhost/', endpoint: 'GET /', headers: [], as: 'OWNER_TOKEN' }
  const text = body === undefined ? '' : JSON.stringify(body)
  return new Exchange('x1', request, { status, headers, body: Buffer.from(text) }, 1, new Dialect())
}

describe('two readings of one object', () => {
  test.each<[why: string, a: Exchange, b: Exchange, pointer: string | undefined, at: string[]]>([
    ['are alike', answered(200, { a: 1 }), answered(200, { a: 1 }), undefined, []],
    ['differ in one place', answered(200, { a: { b: 1, c: 1 } }), answered(200, { a: { b: 2, c: 1 } }), undefined, ['/a/b']],
    [
      'are alike in lists with members in another order',
      answered(200, [{ a: 1, b: 2 }]),
      answered(200, [{ b: 2, a: 1 }]),
      '',
      [],
    ],
    ['differ in a member that came', answered(200, { a: 1 }), answered(200, { a: 1, 'b/c': 2 }), undefined, ['/b~1c']],
    [
      'differ in one item of a list',
      answered(200, [{ a: 1 }, { a: 1 }]),
      answered(200, [{ a: 1 }, { a: 2 }]),
      undefined,
      ['/1/a'],
    ],
    ['differ as lists of other lengths do, as a whole', answered(200, [1]), answered(200, [1, 2]), undefined, ['']],
    ['differ by status', answered(404), answered(204), undefined, ['']],
    ['are alike at the place that counts', answered(200, { a: 1, n: 1 }), answered(200, { a: 1, n: 2 }), '/a', []],
  ])('two readings of one object %s', (_, a, b, pointer, at) => {
    expect([...differences(a, b, pointer)]).toEqual(at)
  })
})

describe('a response', () => {
  test('a response leaks data of the owner, in whole or in part', () => {
    const served = answered(200, [{ id: 7, email: 'mona@service.test' }])
    expect(leaks(answered(403, { data: [{ id: 7, email: 'mona@service.test' }] }), served)).toBe(true)
    expect(leaks(answered(403, { data: { email: 'mona@service.test', id: 7 } }), served)).toBe(true)
    expect(leaks(answered(403, [{ id: 7 }]), answered(200, [{ id: 7 }]))).toBe(true)
    expect(leaks(answered(403, { message: 'Forbidden', id: 7 }), served)).toBe(false)
    expect(leaks(answered(404, []), answered(200, []))).toBe(false)
    expect(leaks(answered(403, { message: 'No' }), answered(204))).toBe(false)
  })
})
