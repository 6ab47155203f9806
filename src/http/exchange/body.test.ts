import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { BodyCache, collectBody } from './body.ts'
import { LruCache } from './lru-cache.ts'

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
