import { describe, expect, test } from 'vitest'
import { Dialect } from '../../http/dialect/dialect.ts'
import type { DialectFile } from '../../http/dialect/dialect-file.ts'
import { Exchange } from '../../http/exchange/exchange.ts'
import { Redactor } from '../../http/redaction/redaction.ts'
import { deviationRecord, fragmentAt } from './deviation-record.ts'
import type { Session } from './session.ts'

const marked = ({ json, lines: [first, last] }: NonNullable<ReturnType<typeof fragmentAt>>) =>
  json
    .split('\n')
    .slice(first - 1, last)
    .map((line) => line.trim())
    .join(' ')

describe('the JSON around a pointer', () => {
  const body = [{ id: 1, 'a/b': { c: [1, { d: 'x' }], e: null } }, { id: 2 }]

  test.each([
    ['/0/a~1b/c/1/d', '"d": "x"'],
    ['/0/a~1b/c/1', '{ "d": "x" }'],
    ['/0/a~1b/e', '"e": null'],
    ['/1', '{ "id": 2 }'],
    ['', '[ { "id": 1, "a/b": { "c": [ 1, { "d": "x" } ], "e": null } }, { "id": 2 } ]'],
  ])('the place %s is marked in a small body that is shown whole', (pointer, text) => {
    const fragment = fragmentAt(body, pointer)
    expect(fragment?.at).toBe('')
    expect(fragment && marked(fragment)).toBe(text)
  })

  test('the item around the pointer is shown whole where the body is too large', () => {
    const items = Array.from({ length: 40 }, (_, id) => ({ id, payload: { note: 'x'.repeat(200), base: { repo: null } } }))
    const fragment = fragmentAt(items, '/36/payload/base/repo')
    expect(fragment?.at).toBe('/36')
    expect(JSON.parse(fragment?.json ?? '')).toEqual(items[36])
    expect(fragment && marked(fragment)).toBe('"repo": null')
  })

  test('the nearest part that exists is shown for a member that is absent', () => {
    expect(fragmentAt({ a: { b: 1 } }, '/a/missing')).toEqual({ at: '', json: '{\n  "a": {\n    "b": 1\n  }\n}', lines: [2, 4] })
  })

  test('a value too long to show is cut, and a body that is no JSON has no fragment', () => {
    expect(fragmentAt({ a: 'x'.repeat(9000) }, '/a')?.json).toHaveLength(4001)
    expect(fragmentAt(undefined, '/a')).toBeUndefined()
  })
})

/** The response to `GET /events` with a JSON body. */
function answered(json: unknown, dialect: DialectFile = {}) {
  const request = { method: 'GET', url: 'http://target.test/events', endpoint: 'GET /events', headers: [], as: 'anonymous' }
  const response = { status: 200, headers: [], body: Buffer.from(JSON.stringify(json)) }
  return new Exchange('x1', request, response, 1, new Dialect(dialect))
}

test('the sentences are in the words of the document, and the pointer leads into the JSON that the target sent', () => {
  const exchange = answered([{ actor: { portrait: 7 } }], { objects: { 'event-actor': { avatar_id: 'portrait' } } })
  const finding = { expected: "a text as 'avatar_id'", actual: '7', pointer: '/0/actor/avatar_id', exchanges: [exchange] }
  const session = { redactor: new Redactor(), needs: { describe: () => undefined } } as unknown as Session
  expect(deviationRecord(finding, new Set(), session, (text) => text)).toEqual({
    expected: "a text as 'avatar_id'",
    actual: '7',
    pointer: '/0/actor/portrait',
    exchanges: ['x1'],
    responses: ['200, 1 item'],
    fragment: { at: '', json: JSON.stringify([{ actor: { portrait: 7 } }], null, 2), lines: [4, 4] },
  })
})

test('a secret in the body is no part of the fragment, neither whole nor cut', () => {
  const redactor = new Redactor()
  redactor.add('ghp_s3cret-7f3a', 'OWNER_TOKEN')
  const given = { need: 'token', from: 'provider', name: 'APP_TOKEN' } as const
  const session = {
    redactor,
    needs: { describe: (value: unknown) => (value === 'known' ? given : undefined) },
  } as unknown as Session
  const record = (json: unknown) =>
    deviationRecord(
      { expected: 'a', actual: 'b', pointer: '/0', exchanges: [answered(json)] },
      new Set(['known', 'other']),
      session,
      (text) => text,
    )
  expect(record(['ghp_s3cret-7f3a'])).toMatchObject({
    fragment: { at: '', json: '[\n  "$OWNER_TOKEN"\n]', lines: [2, 2] },
    given: [given],
  })
  expect(JSON.stringify(record([`${'x'.repeat(3990)}ghp_s3cret-7f3a`]))).not.toContain('ghp_')
})
