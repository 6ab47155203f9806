import { describe, expect, test } from 'vitest'
import { sampleChecks, sampleReport } from '../../../fixtures/samples/report/report.ts'
import { sampleRecords } from '../../../fixtures/samples/run/records.ts'
import type { CheckRecord } from '../../record/check-record.ts'
import { reportLanes } from '../../record/report-lanes.ts'
import { noCrossVersion } from '../../record/run-record.ts'
import { causeOf, findingsOf, itemsSentence } from './findings.ts'

const [first] = sampleChecks() as [CheckRecord]
const deviation = { expected: 'a text', actual: 'a number', pointer: '/3/id', exchanges: ['x1'] }

/** The cause of a failed check whose last response has this status. */
function causeWith(change: Partial<CheckRecord>, status = 200, endpoint = 'GET /events'): string {
  const report = sampleReport('2026-03-10', [{ ...first, deviation, ...change }])
  const exchanges = report.exchanges.map((one) => ({ ...one, endpoint, response: { ...one.response, status } }))
  const { run } = sampleRecords({ crossVersion: noCrossVersion })
  const [finding] = findingsOf(reportLanes({ run, reports: [{ ...report, exchanges }] }))
  return finding ? causeOf(finding) : ''
}

describe('deviations have one cause', () => {
  test.each<[string, Partial<CheckRecord>]>([
    ['at another item of a list', { deviation: { ...deviation, pointer: '/0/id' } }],
    ['with another expectation', { deviation: { ...deviation, expected: 'nothing' } }],
    ['in another check', { id: 'events.public.other', title: 'another' }],
    ['with another exchange of the same endpoint', { deviation: { ...deviation, exchanges: ['x2'] } }],
  ])('%s', (_, change) => expect(causeWith(change)).toBe(causeWith({})))
})

describe('deviations have causes of their own', () => {
  test.each<[string, Partial<CheckRecord>, number?, string?]>([
    ['at another member', { deviation: { ...deviation, pointer: '/3/id/0' } }],
    ['with another value', { deviation: { ...deviation, actual: 'null' } }],
    ['with another outcome', { outcome: 'warned' }],
    ['with another status', {}, 404],
    ['at another endpoint', {}, 200, 'GET /gists'],
  ])('%s', (_, change, status, endpoint) => expect(causeWith(change, status, endpoint)).not.toBe(causeWith({})))
})

test.each([
  [{ failing: 1, of: 1 }, '1 of 1 item breaks the claim'],
  [{ failing: 2, of: 50 }, '2 of 50 items break the claim'],
  [
    { failing: 2, of: 50, trait: { member: 'subject.type', value: '"Pull"' } },
    '2 of 50 items break the claim: each has subject.type "Pull", and no other item has it',
  ],
])('the items that break a claim are counted, and named by the member that they alone share: %o', (items, sentence) => {
  expect(itemsSentence(items)).toBe(sentence)
})
