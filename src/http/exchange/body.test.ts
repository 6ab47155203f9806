import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { BodyCache, collectBody, LruCache, weightOf } from './body.ts'

describe('a cache with a limit', () => {
  test('the oldest entries are removed when all of them exceed the limit', () => {
    const cache = new LruCache<string>(10)
    for (const key of ['a', 'b', 'c']) cache.set(key, key, 4)
    expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([undefined, 'b', 'c'])
  })

  test('an incomplete entry stays, and counts as soon as it has a size', () => {
    const cache = new LruCache<string>(10)
    cache.set('read', 'pending', 0)
    for (const key of ['a', 'b', 'c']) cache.set(key, key, 4)
    expect(cache.get('read')).toBe('pending')
    cache.set('read', 'complete', 8)
    expect(['read', 'a', 'b', 'c'].map((key) => cache.get(key))).toEqual(['complete', undefined, undefined, undefined])
  })
})

describe('the bodies of a run', () => {
  test('equal bodies are stored and parsed once', () => {
    const cache = new BodyCache()
    const [first, second, other] = ['[1]', '[1]', '[2]'].map((text) => cache.of(Buffer.from(text)))
    expect(second).toBe(first)
    expect(second?.wireJson).toBe(first?.wireJson)
    expect([first?.wireJson, other?.wireJson]).toEqual([[1], [2]])
  })
})

describe('a parsed body', () => {
  test('its value is kept until the bodies that were parsed later exceed the limit', () => {
    const [first, second] = ['a', 'b'].map((letter) => new BodyCache().of(Buffer.from(`["${letter.repeat(1024 * 1024)}"]`)))
    const value = first?.wireJson
    expect(first?.wireJson).toBe(value)
    expect(second?.wireJson).toBe(second?.wireJson)
    expect(first?.wireJson).toEqual(value)
    expect(first?.wireJson).not.toBe(value)
  })
})

describe('a body that is read', () => {
  test('a body is refused unread when its stated length is above the limit', async () => {
    const body = new Readable({ read: () => expect.unreachable() })
    await expect(collectBody(body, [['content-length', '9']], 8)).rejects.toThrow('the body is longer than 8 bytes')
    expect(body.destroyed).toBe(true)
  })

  test('a body without a stated length is read up to the limit', async () => {
    const pieces = (count: number) => Readable.from(Array.from({ length: count }, () => Buffer.from('four')))
    expect(String(await collectBody(pieces(2), [], 8))).toBe('fourfour')
    await expect(collectBody(pieces(3), [], 8)).rejects.toThrow('the body is longer than 8 bytes')
  })
})

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

test.each([
  ['1000 levels', nested(1000), true],
  ['1001 levels', nested(1001), false],
  ['1001 levels behind a string', `{"a\\"[":"\\\\","b":${nested(1001)}}`, false],
  ['brackets within a string', `["${'['.repeat(5000)}"]`, true],
  ['brackets behind an escaped quotation mark', `["\\"${'['.repeat(5000)}"]`, true],
  ['brackets behind an escaped backslash', `["\\\\",${nested(1001)}]`, false],
  ['a string without an end', `["${'['.repeat(5000)}`, true],
  ['half a million values', `[${'1,'.repeat(499_998)}1]`, true],
  ['more values', `[${'1,'.repeat(500_001)}1]`, false],
  ['a long string of commas', `["${','.repeat(2_000_000)}"]`, true],
])('a JSON text is measured before it is parsed: %s', (_, text, expected) => {
  expect(typeof weightOf(Buffer.from(text)) === 'number').toBe(expected)
})

test('a value takes memory beside its text, and an item of the outermost list more, for its place and its id', () => {
  const texts = ['["xxx"]', '[[1,2]]', '[1,2,3]'].map((json) => weightOf(Buffer.from(json)))
  expect(texts).toEqual([7 + 64, 7 + 3 * 64, 7 + 64 + 2 * 512])
})
