import fc from 'fast-check'
import { expect, test } from 'vitest'
import { randomNumbers } from './random.ts'

const sequence = (seed: number) => Array.from({ length: 20 }, randomNumbers(seed))

test('every number is at least 0 and below 1, for any seed', () => {
  fc.assert(fc.property(fc.integer(), (seed) => sequence(seed).every((value) => value >= 0 && value < 1)))
})

test('the same seed yields the same numbers, and another seed yields others', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      expect(sequence(seed)).toEqual(sequence(seed))
      expect(sequence(seed)).not.toEqual(sequence(seed ^ 1))
    }),
  )
})
