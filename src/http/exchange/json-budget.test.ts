import { expect, test } from 'vitest'
import { isAffordable } from './json-budget.ts'

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

test.each([
  ['1000 levels', nested(1000), true],
  ['1001 levels', nested(1001), false],
  ['1001 levels behind a string', `{"a\\"[":"\\\\","b":${nested(1001)}}`, false],
  ['brackets within a string', `["${'['.repeat(5000)}"]`, true],
  ['brackets behind an escaped quotation mark', `["\\"${'['.repeat(5000)}"]`, true],
  ['brackets behind an escaped backslash', `["\\\\",${nested(1001)}]`, false],
  ['a string without an end', `["${'['.repeat(5000)}`, true],
  ['a million values', `[${'1,'.repeat(999_998)}1]`, true],
  ['more than a million values', `[${'1,'.repeat(1_000_001)}1]`, false],
  ['a long string of commas', `["${','.repeat(2_000_000)}"]`, true],
])('a JSON text is measured before it is parsed: %s', (_, text, expected) => {
  expect(isAffordable(Buffer.from(text))).toBe(expected)
})
