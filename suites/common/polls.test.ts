import { expect, test } from 'vitest'
import { hasMoved } from './polls.ts'

const page = (status: number, count: number) => ({ status, count, isList: status === 200 })

test.each([
  ['has moved after a 304', page(200, 2), true],
  ['was emptied', page(200, 0), false],
])('a polled list that %s', (_, last, moved) => {
  const tries = [page(304, 0), last].map((response) => ({ source: page(200, 1), response }))
  expect(hasMoved({ same: () => false }, tries)).toBe(moved)
})
