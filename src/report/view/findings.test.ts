import { describe, expect, test } from 'vitest'
import { sampleChecks, sampleReport } from '../../../fixtures/samples/report/report.ts'
import { sampleRecords } from '../../../fixtures/samples/run/records.ts'
import type { CheckRecord } from '../../record/check-record.ts'
import { reportLanes } from '../../record/report-lanes.ts'
import { noCrossVersion } from '../../record/run-record.ts'
import { causeName, causesOf, claimLines, inFull, itemsSentence } from './findings.ts'

const [first] = sampleChecks() as [CheckRecord]
const deviation = { expected: 'a text', actual: 'a number', pointer: '/3/id', exchanges: ['x1'] }
const absent = { ...deviation, difference: { of: 'ETag header', is: 'absent' } }

/** The causes of failed checks whose responses are those of their endpoints; the status of `x2` is this one. */
function causesWith(changes: readonly Partial<CheckRecord>[], status = 200) {
  const checks = changes.map((change, index) => ({ ...first, id: `events.a.${index}`, deviation, ...change }))
  const { run } = sampleRecords({ crossVersion: noCrossVersion })
  const report = sampleReport('2026-03-10', checks)
  const exchanges = report.exchanges.map((one) => {
    const endpoint = checks.find((each) => each.deviation.exchanges.includes(one.id))?.endpoint ?? one.endpoint
    return { ...one, endpoint, response: { ...one.response, status: one.id === 'x2' ? status : 200 } }
  })
  return causesOf(reportLanes({ run, reports: [{ ...report, exchanges }] }))
}

const other = { ...deviation, exchanges: ['x2'] }

describe('deviations have one cause', () => {
  test.each<[string, Partial<CheckRecord>]>([
    ['at another item of a list', { deviation: { ...deviation, pointer: '/0/id' } }],
    ['with another expectation', { deviation: { ...deviation, expected: 'nothing' } }],
    ['with another exchange of the same endpoint', { deviation: other }],
    ['at another endpoint', { endpoint: 'GET /gists', deviation: other }],
  ])('%s', (_, change) => expect(causesWith([{}, change])).toHaveLength(1))

  test.each([200, 201])('with the same difference, whatever the values and the status are (%i)', (status) => {
    const elsewhere = { ...absent, actual: 'another number', exchanges: ['x2'] }
    const same = { endpoint: 'GET /gists', deviation: elsewhere }
    const [cause, ...others] = causesWith([{ deviation: absent }, same, { ...same, id: 'events.a.same' }], status)
    expect(others).toEqual([])
    expect(cause && causeName(cause)).toBe('ETag header absent on 2 endpoints, 2026-03-10 (3 checks)')
  })
})

describe('deviations have causes of their own', () => {
  const elsewhere = { endpoint: 'GET /gists', deviation: other }
  test.each<[string, Partial<CheckRecord>, number?]>([
    ['at another member', { deviation: { ...deviation, pointer: '/3/id/0' } }],
    ['with another value', { deviation: { ...deviation, actual: 'null' } }],
    ['with another outcome', { outcome: 'warned' }],
    ['with another status', { deviation: other }, 404],
    ['at another endpoint, with another requirement', { ...elsewhere, requirements: ['a.b'] }],
    ['at another endpoint, with another expectation', { ...elsewhere, deviation: { ...other, expected: 'null' } }],
  ])('%s', (_, change, status) => expect(causesWith([{}, change], status)).toHaveLength(2))
})

test('the first cause of each area is shown in full, then those of most checks, and warnings only without failures', () => {
  const own = (actual: string) => ({ deviation: { ...deviation, actual } })
  const causes = causesWith([own('a'), own('b'), own('c'), own('c'), { ...own('d'), area: 'migrations' }, { outcome: 'warned' }])
  const actuals = inFull(causes).map(([{ latest }]) => latest.check.deviation?.actual)
  expect(actuals).toEqual(['a', 'd', 'c', 'b'])
  expect(inFull(causesWith([{ outcome: 'warned' }]))).toHaveLength(1)
})

test('the form of a deviating request stands behind the actual value and its place', () => {
  const lines = claimLines({ ...first, deviation: { ...deviation, variation: 'without a token' } })
  expect(lines).toContain('  actual    a number at /3/id (request without a token)')
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
