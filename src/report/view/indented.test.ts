import { expect, test } from 'vitest'
import { indented } from './indented.ts'

test.each([[{ a: [1, { b: 'x, {y}: "z" \\' }], c: {}, d: [], e: [[]], f: null }], [[]], [[[], [{}]]]])(
  'the body %j is indented as JSON usually is',
  (value) => {
    expect(indented(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2))
  },
)

test('a body that was cut is indented as far as it goes', () => {
  expect(indented('[{"id":"1","text":"half a sen')).toBe('[\n  {\n    "id": "1",\n    "text": "half a sen')
})

test('values that a parser would change stay as they came', () => {
  expect(indented('{"n":1.0,"n":12345678901234567890}')).toBe('{\n  "n": 1.0,\n  "n": 12345678901234567890\n}')
  expect(indented('no JSON, {at} all')).toBe('no JSON, {at} all')
})

test('a deeply nested body stays small', () => {
  expect(indented('['.repeat(4000)).length).toBeLessThan(4000 * 60)
})
