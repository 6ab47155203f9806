import { expect, test } from 'vitest'
import { outputText } from './output-text.ts'
import { knownSecrets } from './redaction.ts'

const secret = 'tok_9f"3a/+c07'
knownSecrets.add(secret, 'OWNER_TOKEN')

test.each([
  ['a secret', `the login is ${secret}`, 'the login is $OWNER_TOKEN'],
  ['a terminal sequence', 'a\u001b]8;;http://x\u0007b', 'a\\u001b]8;;http://x\\u0007b'],
  ['NUL and C1', 'a\u0000\u009bb', 'a\\u0000\\u009bb'],
  ['a carriage return', 'ok\r\n', 'ok\\u000d\n'],
  ['bidirectional text and line separators', 'a\u202e\u2066\u061c\u2028b', 'a\\u202e\\u2066\\u061c\\u2028b'],
  ['half a character', 'a\ud800b', 'a\ufffdb'],
  ['a command of a pipeline', 'x\n::error::y\n \t::add-mask::z', 'x\n\\u003a:error::y\n \t\\u003a:add-mask::z'],
  ['commands within a line', 'x ##[error]y ##vso[task]z', 'x \\u0023#[error]y \\u0023#vso[task]z'],
  ['plain text', 'events::public\n\ta # b ## c\n', 'events::public\n\ta # b ## c\n'],
])('%s', (_, text, printed) => expect(outputText(text)).toBe(printed))

test('colours stay where the terminal has them, and only there', () => {
  const text = '\u001b[31mred\u001b[39m \u001b[2Kerased'
  expect(outputText(text, { colours: true })).toBe('\u001b[31mred\u001b[39m \\u001b[2Kerased')
  expect(outputText(text)).not.toContain('\u001b')
})

test('JSON keeps its meaning', () => {
  const value = { text: 'a\u009b\u202e##[error]' }
  expect(JSON.parse(outputText(JSON.stringify(value)))).toEqual(value)
})
