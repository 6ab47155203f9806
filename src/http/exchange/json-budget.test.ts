import { expect, test } from 'vitest'
import { weightOf } from './json-budget.ts'

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
