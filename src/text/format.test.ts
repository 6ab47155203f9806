import { expect, test } from 'vitest'
import { counted, cut, printable, show, size } from './format.ts'

test.each([
  [undefined, 'nothing'],
  [null, 'null'],
  ['text', '"text"'],
  [[1, { a: true }], '[1,{"a":true}]'],
  [Number.POSITIVE_INFINITY, 'null'],
])('the value %j is shown as %s', (value, text) => expect(show(value)).toBe(text))

test('a long value is cut', () => {
  expect(show('x'.repeat(1_000_000))).toBe(`"${'x'.repeat(159)}…`)
  expect([cut('four', 4), cut('four!', 4)]).toEqual(['four', 'four…'])
})

test.each([
  ['an escape sequence', '\u001b[31mred\u001b[0m', '\\u001b[31mred\\u001b[0m'],
  ['a C1 escape', '\u009b31m', '\\u009b31m'],
  ['a line break and a bell', 'a\r\n\u0007', 'a\\u000d\\u000a\\u0007'],
  ['a change of direction', 'a\u202egnp.exe', 'a\\u202egnp.exe'],
  ['an invisible character', 'mo\u200dna\u00ad\u3164', 'mo\\u200dna\\u00ad\\u3164'],
  ['an invisible character beyond U+FFFF, as JSON escapes it,', 'a\u{e0041}b', 'a\\udb40\\udc41b'],
])('the character %s is made visible', (_, text, visible) => expect(printable(text)).toBe(visible))

test.each([
  [0, '0 kB'],
  [1, '1 kB'],
  [4_393, '5 kB'],
  [31_730_000, '31.7 MB'],
])('%i bytes are shown as %s', (bytes, text) => expect(size(bytes)).toBe(text))

test('other text is shown unchanged', () => {
  expect(printable('größer — 漢字 🙂 "x"')).toBe('größer — 漢字 🙂 "x"')
})

test.each([
  [0, '0 subjects'],
  [1, '1 subject'],
  [2, '2 subjects'],
])('%i of a noun reads %s', (count, text) => expect(counted(count, 'subject')).toBe(text))
