import { expect, test } from 'vitest'
import { counted } from './counted.ts'

test.each([
  [0, '0 subjects'],
  [1, '1 subject'],
  [2, '2 subjects'],
])('%i of a noun reads %s', (count, text) => expect(counted(count, 'subject')).toBe(text))
