import { describe, expect, test } from 'vitest'
import { hostile, sampleChecks, sampleReport } from '../../../fixtures/samples/report/report.ts'
import { sampleRecords } from '../../../fixtures/samples/run/records.ts'
import type { CheckRecord } from '../../record/check-record.ts'
import type { Outcome } from '../../record/reason.ts'
import { noCrossVersion, type RunRecord } from '../../record/run-record.ts'
import { documentRequirements } from '../../spec/requirements.ts'
import type { NamedRun } from './compare.ts'
import { type Filter, filtered, groupsOf, matrixOf } from './matrix.ts'
import { matrixJson, matrixMarkdown } from './matrix-formats.ts'

const requirements = ['events.window.size', 'events.window.order']

/** A run under one version of checks `a`, `b`, … with these outcomes. */
function runOf(name: string, outcomes: readonly (Outcome | undefined)[], change: Partial<RunRecord> = {}) {
  const [sample] = sampleChecks()
  const checks = outcomes.flatMap((outcome, index) =>
    outcome === undefined ? [] : [{ ...(sample as CheckRecord), id: `events.public.${'abcdef'[index]}`, outcome, requirements }],
  )
  const { run } = sampleRecords({ crossVersion: noCrossVersion, ...change })
  return { name, records: { run, reports: [sampleReport('2026-03-10', checks)] } }
}

const matrix = (...runs: NamedRun[]) => matrixOf(runs, documentRequirements)

describe('the matrix of implementations', () => {
  test('a claim has the outcome of each implementation, and groups count them', () => {
    const { by, claims, lanes } = matrix(runOf('one', ['passed', 'failed']), runOf('two', ['passed', undefined, 'warned']))
    expect([by, lanes]).toEqual(['check', ['2026-03-10']])
    expect(claims.map(({ id, cells }) => [id, ...cells.map((cell) => cell['2026-03-10'])])).toEqual([
      ['events.public.a', 'passed', 'passed'],
      ['events.public.b', 'failed', undefined],
      ['events.public.c', undefined, 'warned'],
    ])
    const [events] = groupsOf(claims, 'area')
    expect(events).toMatchObject({
      name: 'events',
      cells: [
        { passed: 1, failed: 1 },
        { passed: 1, failed: 0, warned: 1 },
      ],
    })
  })

  test.each<[Filter, number | undefined, string]>([
    ['differs', undefined, 'bc'],
    ['differs', 2, 'bc'],
    ['differs', 0, 'bc'],
    ['only-red', undefined, 'b'],
    ['only-red', 0, ''],
    ['only-red', 1, 'b'],
    ['untested', undefined, 'adef'],
    ['untested', 0, 'd'],
    ['untested', 2, 'aef'],
  ])('the filter %s in column %s leaves the claims %j', (filter, column, ids) => {
    const { claims } = matrix(
      runOf('one', ['passed', 'passed', 'failed', 'errored', 'passed', 'passed']),
      runOf('two', ['passed', 'failed', 'failed', 'passed', 'passed', 'passed']),
      runOf('three', ['untested', 'passed', 'passed', 'inapplicable', 'untested', undefined]),
    )
    const found = filtered(claims, filter, column)
    expect(found.map(({ id }) => id.at(-1)).join('')).toBe(ids)
  })

  test('runs by different versions of the suite are compared by requirement, by the worst outcome', () => {
    const suite = { name: 'service-conformance', version: '0.0.9' }
    const found = matrix(runOf('one', ['passed', 'failed']), runOf('two', ['passed'], { suite }))
    expect(found.by).toBe('requirement')
    expect(found.claims.map(({ id, cells }) => [id, ...cells.map((cell) => cell['2026-03-10'])])).toEqual([
      ['events.window.size', 'failed', 'passed'],
      ['events.window.order', 'failed', 'passed'],
    ])
    expect(found.claims[0]?.title).toBe(documentRequirements.find(({ id }) => id === 'events.window.size')?.text)
    expect(found.cautions.join('\n')).toMatch(/different versions of the suite: .*0\.0\.9\nclaims are compared by requirement/)
    expect(matrixMarkdown(found)).toContain('> claims are compared by requirement')
  })

  test('an implementation has its release, its date and the facts about an incomplete run', () => {
    const target = { baseUrl: 'http://127.0.0.1:1', name: 'forge', version: '1.2' }
    const [one] = matrix(runOf('forge', ['passed'], { target, provisional: true, interrupted: true })).implementations
    expect(one).toMatchObject({ version: '1.2', date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) })
    expect(one?.notes).toEqual(['interrupted', 'provisional (--quick)'])
  })
})

describe('the matrix as a file', () => {
  const made = matrix(runOf('forge', ['passed', 'failed']), runOf('hub', ['warned', 'passed']), runOf('depot', ['untested']))

  test('Markdown has a column for each implementation and a row for each area', () => {
    const lines = matrixMarkdown(made).split('\n')
    expect(lines.slice(0, 2)).toEqual(['|  | forge | hub | depot |', '|---|---|---|---|'])
    expect(lines).toContain('| events | ❌ 1 of 2 | ⚠️ 1 of 2 | not judged |')
    expect(lines).toContain('| only here red | 1 | 0 | 0 |')
  })

  test('JSON has areas, endpoints and claims with their outcomes', () => {
    const { areas } = JSON.parse(JSON.stringify(matrixJson(made)))
    expect(areas[0].endpoints[0].claims[0]).toMatchObject({
      id: 'events.public.a',
      cells: [{ '2026-03-10': 'passed' }, { '2026-03-10': 'warned' }, { '2026-03-10': 'untested' }],
    })
  })

  test('a hostile name is text in every format', () => {
    const evil = matrix(runOf(hostile, ['failed']), runOf(`${hostile}|x`, ['passed']))
    expect(matrixMarkdown(evil)).not.toMatch(/<script|<img|\u202e/)
    expect(
      matrixMarkdown(evil)
        .split('\n')[0]
        ?.match(/(?<!\\)\|/g),
    ).toHaveLength(4)
  })
})
