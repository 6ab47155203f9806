import { describe, expect, test } from 'vitest'
import type { CheckRecord } from '../record/check-record.ts'
import type { Report } from '../record/report.ts'
import type { Difference } from '../record/run-record.ts'
import { crossVersionOf } from './cross-version.ts'

const record = (id: string, outcome: CheckRecord['outcome'], actual?: string) =>
  ({
    id,
    outcome,
    ...(actual === undefined ? {} : { deviation: { expected: '', actual, exchanges: [] } }),
  }) as unknown as CheckRecord

const report = (apiVersion: string, checks: CheckRecord[]) =>
  ({ apiVersion, checks, observations: [], exchanges: [] }) as unknown as Report

const difference = (at: string, change?: number): Difference => ({
  ...{ endpoint: 'GET /gists', at, kind: 'removed', older: 'array', newer: '', documented: false },
  ...(change === undefined ? {} : { change }),
})

describe('crossVersionOf', () => {
  test('says in one sentence that a target ignores the version header', () => {
    const ignoring = record('versioning.header.selects-version', 'failed', 'as 2022-11-28 whatever version is asked for')
    const { ignoresVersion } = crossVersionOf(report('2026-03-10', [ignoring]), [], [])
    expect(ignoresVersion).toMatch(
      /^The target ignores the version header: it answers as 2022-11-28 whatever version is asked for\./,
    )
  })

  test('says nothing of the kind otherwise', () => {
    const passing = record('versioning.header.selects-version', 'passed')
    expect(crossVersionOf(report('2026-03-10', [passing]), [], [])).not.toHaveProperty('ignoresVersion')
  })

  test('lists each difference once, what no change names first', () => {
    const noted = [difference('/*/history', 8), difference('/*/forks', 8), difference('/*/id'), difference('/*/forks', 8)]
    const { differences } = crossVersionOf(report('2026-03-10', []), noted, [])
    expect(differences.map(({ at }) => at)).toEqual(['/*/id', '/*/forks', '/*/history'])
  })

  test.each([
    ['passed', 'passed', 1],
    ['passed', 'failed', 0],
    ['untested', 'passed', 0],
  ] as const)('adds a change of status where its checks %s and %s', (before, after, count) => {
    const older = report('2022-11-28', [record('versioning.delete-installation.no-content', before)])
    const newer = report('2026-03-10', [record('versioning.delete-installation.accepted', after)])
    const { differences } = crossVersionOf(report('2026-03-10', []), [], [older, newer])
    expect(differences.filter(({ change }) => change === 9)).toHaveLength(count)
  })
})
