import { describe, expect, test } from 'vitest'
import { sampleChecks, sampleReport } from '../../../fixtures/samples/report/report.ts'
import type { Outcome } from '../../record/reason.ts'
import { documentRequirements as requirements } from '../../spec/requirements.ts'
import { assessRequirements, withRequirements } from './assess-requirements.ts'

const id = 'events.public.status'
const judging = requirements.find(({ checks, versions }) => !versions && checks?.some((glob) => glob === 'events.*.status'))
const checksOf = (...outcomes: Outcome[]) =>
  outcomes.map((outcome, index) => ({
    ...(sampleChecks()[0] as ReturnType<typeof sampleChecks>[number]),
    id: index === 0 ? id : 'events.network.status',
    outcome,
  }))
const statusOf = (...outcomes: Outcome[]) =>
  assessRequirements(requirements, checksOf(...outcomes), '2026-03-10').find((requirement) => requirement.id === judging?.id)
    ?.status

describe('a requirement', () => {
  test.each([
    [['passed', 'passed'], 'passed'],
    [['passed', 'failed'], 'failed'],
    [['untested', 'passed'], 'untested'],
    [['inapplicable', 'passed'], 'passed'],
    [[], 'unjudged'],
  ] as const)('a requirement whose checks are %j is %s', (outcomes, status) => {
    expect(statusOf(...outcomes)).toBe(status)
  })

  test('a requirement that no check can judge is excluded', () => {
    const excluded = requirements.filter((requirement) => requirement.excluded !== undefined).map((requirement) => requirement.id)
    const assessed = assessRequirements(requirements, [], '2026-03-10').filter(({ status }) => status === 'excluded')
    expect(assessed.map((requirement) => requirement.id).every((name) => excluded.includes(name))).toBe(true)
    expect(assessed.length).toBeGreaterThan(0)
  })

  test('a requirement is also judged by checks across versions', () => {
    const report = withRequirements(sampleReport('2026-03-10', []), checksOf('passed'), requirements)
    expect(report.requirements.find((requirement) => requirement.id === judging?.id)?.status).toBe('passed')
  })
})
