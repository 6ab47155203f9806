import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inScope } from '../../http/transport/time/scope.ts'
import { randomNumbers, unusedNames } from './random.ts'

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

test('unused names follow from the run and the check, and none occurs twice', () => {
  const made = (run: string) => {
    const next = unusedNames(run)
    return ['a', 'b', 'a'].map((check) => inScope(check, () => next('team-')))
  }
  expect(made('run 1')).toEqual(made('run 1'))
  expect(new Set([...made('run 1'), ...made('run 2')]).size).toBe(6)
  expect(made('run 1')[0]).toMatch(/^team-[0-9a-f]{12}$/)
})
