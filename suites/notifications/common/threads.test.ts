import { expect, test } from 'vitest'
import { timestamp } from './threads.ts'

test.each([
  [Date.UTC(2026, 10, 20, 12, 34, 56, 789), '2026-11-20T12:34:56Z'],
  [8.64e15 + 2000, '9999-12-31T00:00:00Z'],
  [-1, '1970-01-01T00:00:00Z'],
  [Number.NaN, '1970-01-01T00:00:00Z'],
])('the instant %d is written as %s', (instant, written) => {
  expect(timestamp(instant)).toBe(written)
})
