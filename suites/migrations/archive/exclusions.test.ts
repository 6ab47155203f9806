import { expect, test } from 'vitest'
import { type Inspection, Tally } from '../archive-reader/tally.ts'
import { amountOf } from './exclusions.ts'

test.each([
  ['counts an empty file beside another', [5, 0], 2],
  ['contains nothing of empty files', [0, 0], 0],
])('a folder %s', (_, sizes, amount) => {
  const tally = new Tally({ limit: 1000 })
  for (const [index, size] of sizes.entries()) tally.member({ name: `attachments/${index}.txt`, type: 'File', size })
  expect(amountOf(tally.content() as Inspection, 'attachments/')).toBe(amount)
})
