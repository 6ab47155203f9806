import { describe, expect, test } from 'vitest'
import type { CheckRecord } from '../../record/check-record.ts'
import { lackOf } from '../../record/reason.ts'
import { noCrossVersion } from '../../record/run-record.ts'
import { sampleChecks, sampleReport } from '../../record/testing/sample-report.ts'
import { unfit } from '../../run/needs/need-catalogue.ts'
import { sampleRecords } from '../testing/sample-run.ts'
import { runPage } from './run-model.ts'

const [first] = sampleChecks()

/** The page of a run with one check. */
function pageOf(more: Partial<CheckRecord>) {
  const report = sampleReport('2026-03-10', [{ ...(first as CheckRecord), ...more }])
  return runPage({ run: sampleRecords({ crossVersion: noCrossVersion }).run, reports: [report] })
}

/** The rows of the causes of untested checks, without the links. */
function causesOn(page: ReturnType<typeof pageOf>) {
  const [table] = page.sections.find(({ id }) => id === 'untested')?.tables ?? []
  return table?.rows.map((row) => row.slice(0, 3))
}

describe('an untested check', () => {
  test('the page states for each missing need how to provide it', () => {
    const reason = lackOf([
      { need: 'busy-user', how: 'set needs.busy-user' },
      { need: 'token:owner', how: 'add { role: owner } to tokens' },
    ])
    expect(causesOn(pageOf({ outcome: 'untested', reason }))).toEqual([
      ['busy-user not provided', '1', 'set needs.busy-user'],
      ['no token configured for the role owner', '1', 'add { role: owner } to tokens'],
    ])
  })

  test('the page describes a value that fits, where the provided one does not', () => {
    const reason = lackOf([{ need: 'organization', how: unfit('organization'), unfit: true }])
    expect(causesOn(pageOf({ outcome: 'untested', reason }))).toEqual([
      [
        'organization provided, but not suitable',
        '1',
        expect.stringMatching(/^organization was given but does not serve here \(An organisation/),
      ],
    ])
  })
})

describe('the readings of a deviation', () => {
  const readingsOf = (more: Partial<CheckRecord>) => pageOf(more).run?.deviations.map(({ readings }) => readings)
  const requirements = ['events.window.size']

  test('the page lists each reading of the requirements with the sentence that states how it is judged', () => {
    const [readings] = readingsOf({ id: 'events.public.cap', requirements }) ?? []
    expect(readings?.map(({ id }) => id)).toEqual(['G14', 'C16'])
    expect(readings?.[1]?.judged).toContain('Events that are newer than the head of the first page are not counted.')
  })

  test('the page lists none where no reading belongs to the requirements', () => {
    const id = 'versioning.delete-installation.status'
    expect(readingsOf({ id, requirements: ['versioning.change-9'] })).toEqual([[]])
  })

  test.each(['failed', 'warned', 'waived'] as const)('a check that %s has readings', (outcome) => {
    expect(
      readingsOf({ requirements, outcome })
        ?.flat()
        .map(({ id }) => id),
    ).toContain('C16')
  })

  test.each(['passed', 'untested', 'inapplicable', 'errored'] as const)('a check that is %s has no evidence', (outcome) => {
    expect(readingsOf({ requirements, outcome })).toEqual([])
  })
})

test('a check that deviates in both versions has one block, with the evidence of the newer one', () => {
  const evidence = (actual: string) => ({ ...(first as CheckRecord), deviation: { expected: 'a list', actual, exchanges: [] } })
  const { run } = sampleRecords({ crossVersion: noCrossVersion })
  const reports = [sampleReport('2022-11-28', [evidence('a number')]), sampleReport('2026-03-10', [evidence('a text')])]
  const [deviation] = runPage({ run, reports }).run?.deviations ?? []
  expect(deviation?.blocks).toHaveLength(1)
  expect(deviation?.blocks[0]).toMatchObject({
    names: ['2022-11-28', '2026-03-10'],
    deviation: { actual: 'a text' },
    others: [{ name: '2022-11-28', actual: 'a number' }],
  })
})
