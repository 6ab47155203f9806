import { expect, test } from 'vitest'
import { hostile } from '../../../fixtures/samples/report/report.ts'
import { sampleRecords } from '../../../fixtures/samples/run/records.ts'
import { githubAnnotations } from './annotations.ts'

test('failures come before warnings, a cause has one line for all checks and versions, and waived checks are omitted', () => {
  const lines = githubAnnotations(sampleRecords())
  expect(lines.map((line) => /^::(\w+) title=([^:]*)::/.exec(line)?.slice(1))).toEqual([
    ['error', 'events.public.shape (2022-11-28%2C 2026-03-10) and 1 check with the same cause'],
    ['warning', 'events.public.order (2022-11-28%2C 2026-03-10)'],
  ])
  expect(lines.join('')).not.toContain('\n')
})

test('a target cannot add a command', () => {
  const records = sampleRecords()
  records.run.gate.missed.push(`x\n::error::y ${hostile}`)
  expect(githubAnnotations(records)[0]).toMatch(/^::error title=gate::x\\u000a::error::y /)
})
