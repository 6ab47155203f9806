import fc from 'fast-check'
import { test } from 'vitest'
import { randomNumbers } from './random.ts'

const sequence = (seed: number) => Array.from({ length: 20 }, randomNumbers(seed))

test('every number is at least 0 and below 1, for any seed', () => {
  fc.assert(fc.property(fc.integer(), (seed) => sequence(seed).every((value) => value >= 0 && value < 1)))
})
