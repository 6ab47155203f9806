import { expect, test } from 'vitest'
import { paint, terminalOf } from './terminal.ts'

test.each([
  [true, {}, true],
  [false, {}, false],
  [true, { NO_COLOR: '1' }, false],
  [true, { NO_COLOR: '' }, true],
  [false, { FORCE_COLOR: '1' }, true],
  [true, { FORCE_COLOR: '0' }, false],
  [true, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
  [true, { TERM: 'dumb' }, false],
] as const)('a terminal %s with %j shows colours: %s', (isTTY, environment, colours) => {
  expect(terminalOf({ isTTY }, environment).colours).toBe(colours)
})

test('colours surround a text, and nothing is added where there are none', () => {
  expect(paint({ colours: true }, 'failed', 'FAILED')).toBe('\u001b[31mFAILED\u001b[39m')
  expect(paint({ colours: false }, 'failed', 'FAILED')).toBe('FAILED')
})
