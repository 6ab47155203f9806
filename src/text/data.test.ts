import { expect, test } from 'vitest'
import { atPointer } from './data.ts'

test('a JSON pointer leads to a value or to nothing', () => {
  const value = { 'a/b': { '~': [{ n: 1 }] }, none: null }
  expect(atPointer(value, '/a~1b/~0/0/n')).toBe(1)
  expect(atPointer(value, '/none')).toBeNull()
  expect(atPointer(value, '/none/more')).toBeUndefined()
  expect(atPointer(value, '/toString')).toBeUndefined()
})
