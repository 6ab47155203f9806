import { expect, test } from 'vitest'
import { sampleChecks, sampleReport } from '../../record/testing/sample-report.ts'
import { sampleRecords } from '../../report/testing/sample-run.ts'
import { renderHtml } from './page.ts'
import { readingList } from './reading-list.ts'

const size = ['events.window.size']

test('A list names each reading of the requirements with the sentence that says how it is judged.', () => {
  const list = String(readingList({ id: 'events.public.cap', requirements: size }))
  expect(list.match(/<dt>Reading \w+<\/dt>/g)).toEqual(['<dt>Reading G14</dt>', '<dt>Reading C16</dt>'])
  expect(list).toContain('<dd>Events that are newer than the head of the first page are not counted.')
})

test('No list is made where no reading bears on the requirements.', () => {
  expect(readingList({ id: 'versioning.delete-installation.status', requirements: ['versioning.change-9'] })).toBe('')
})

test('The page shows the readings of a check with a deviation, and of no other.', () => {
  const { run } = sampleRecords()
  const lists = sampleChecks().map((check) => {
    const page = String(renderHtml({ run, reports: [sampleReport('2026-03-10', [{ ...check, requirements: size }])] }))
    return [check.outcome, page.includes('Reading C16')]
  })
  const shown = lists.filter(([, present]) => present).map(([outcome]) => outcome)
  expect(shown).toEqual(['failed', 'warned', 'waived'])
})
