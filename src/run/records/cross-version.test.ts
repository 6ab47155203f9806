import { describe, expect, test } from 'vitest'
import type { CheckRecord, ShownChange } from '../../record/check-record.ts'
import type { Outcome } from '../../record/reason.ts'
import type { Difference, Report } from '../../record/run-record.ts'
import { crossVersionOf } from './assemble-run.ts'

const record = (outcome: Outcome, more: Partial<CheckRecord> = {}) => ({ outcome, ...more }) as CheckRecord

const report = (apiVersion: string, checks: CheckRecord[]) =>
  ({ apiVersion, checks, observations: [], exchanges: [] }) as unknown as Report

const difference = (at: string, change?: number): Difference => ({
  endpoint: 'GET /gists',
  at,
  kind: 'removed',
  older: 'array',
  newer: '',
  documented: false,
  ...(change === undefined ? {} : { change }),
})

/** The record of the check that detects a target for which the version header has no effect. */
const headerRecord = (outcome: Outcome) =>
  record(outcome, {
    detectsIgnoredVersion: true,
    deviation: { expected: '', actual: '', difference: { of: 'the served version', is: '2022-11-28' }, exchanges: [] },
  })

describe('an ignored version header', () => {
  test('is recorded with the served version when the check that detects it fails', () => {
    const { ignoresVersion } = crossVersionOf(report('2026-03-10', [headerRecord('failed')]), [], [])
    expect(ignoresVersion).toEqual({ serves: '2022-11-28' })
  })

  test('is not recorded when that check passes or another check fails', () => {
    const { deviation } = headerRecord('failed')
    const other = record('failed', deviation ? { deviation } : {})
    expect(crossVersionOf(report('2026-03-10', [headerRecord('passed'), other]), [], [])).not.toHaveProperty('ignoresVersion')
  })
})

const shows: ShownChange = { change: 9, endpoint: 'DELETE /x', at: 'status', kind: 'status', older: '204', newer: '202' }

/** The differences that are listed when checks that declare one came out like this in each lane. */
function listed(older: Outcome[], newer: Outcome[], across: Outcome[] = [], header: Outcome = 'passed') {
  const [before, after, once] = [older, newer, across].map((outcomes) => outcomes.map((outcome) => record(outcome, { shows })))
  const lane = report('2026-03-10', [...(once ?? []), headerRecord(header)])
  return crossVersionOf(lane, [], [report('2022-11-28', before ?? []), report('2026-03-10', after ?? [])]).differences
}

describe('the table of differences', () => {
  test('the table of differences lists each noted difference once, and unlisted differences first', () => {
    const noted = [difference('/*/history', 8), difference('/*/forks', 8), difference('/*/id'), difference('/*/forks', 8)]
    const { differences } = crossVersionOf(report('2026-03-10', []), noted, [])
    expect(differences.map(({ at }) => at)).toEqual(['/*/id', '/*/forks', '/*/history'])
  })

  test('the table of differences lists a declared difference whose checks passed under both versions', () => {
    expect(listed(['passed'], ['passed'])).toEqual([{ ...shows, documented: true }])
  })

  test('the table of differences counts a check across versions as one of the newer version', () => {
    expect(listed(['passed'], [], ['passed'])).toHaveLength(1)
  })

  test('the table of differences ignores checks that do not apply to a version', () => {
    expect(listed(['passed', 'inapplicable'], ['inapplicable', 'passed'])).toHaveLength(1)
  })

  test.each<[string, Outcome[], Outcome[]]>([
    ['a check of the newer version failed', ['passed'], ['failed']],
    ['a check of the older version is untested', ['untested'], ['passed']],
    ['one of several checks failed', ['passed'], ['passed', 'failed']],
    ['no check of the newer version applies', ['passed'], ['inapplicable']],
    ['a deviation is waived', ['passed'], ['waived']],
  ])('the table of differences omits a declared difference when %s', (_, older, newer) => {
    expect(listed(older, newer)).toEqual([])
  })

  test('the table of differences omits declared differences when the version header has no effect', () => {
    expect(listed(['passed'], ['passed'], [], 'failed')).toEqual([])
  })
})
