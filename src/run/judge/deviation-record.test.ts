import { describe, expect, test } from 'vitest'
import { fragmentAt } from './deviation-record.ts'

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
