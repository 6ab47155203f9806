import { describe, expect, test } from 'vitest'
import type { CheckRecord } from './check-record.ts'
import { outcomes } from './outcome.ts'
import type { Totals, Verdict } from './report.ts'
import { countOutcomes, missedLimits, verdictOf, worstVerdict } from './verdict.ts'

const none = Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Totals

test('each outcome is counted, and absent outcomes count as zero', () => {
  const records = (['passed', 'passed', 'untested'] as const).map((outcome) => ({ outcome }) as CheckRecord)
  expect(countOutcomes(records)).toEqual({ ...none, passed: 2, untested: 1 })
})

describe('a verdict', () => {
  test.each<[Partial<Totals>, Verdict, Verdict]>([
    [{ passed: 9 }, 'conforms', 'conforms'],
    [{ passed: 9, untested: 9, inapplicable: 9 }, 'conforms', 'conforms'],
    [{ passed: 9, warned: 1 }, 'conforms', 'deviates'],
    [{ waived: 1 }, 'conforms', 'conforms'],
    [{ passed: 9, failed: 1 }, 'deviates', 'deviates'],
    [{ failed: 1, errored: 9 }, 'deviates', 'deviates'],
    [{ passed: 9, errored: 1 }, 'inconclusive', 'inconclusive'],
    [{ warned: 1, errored: 1 }, 'inconclusive', 'deviates'],
    [{ untested: 9, inapplicable: 9 }, 'inconclusive', 'inconclusive'],
    [{}, 'inconclusive', 'inconclusive'],
  ])('the verdict over %j is %s, and %s in strict mode', (totals, lenient, strict) => {
    expect(verdictOf({ ...none, ...totals }, false)).toBe(lenient)
    expect(verdictOf({ ...none, ...totals }, true)).toBe(strict)
  })

  test.each<[Verdict[], Verdict]>([
    [['conforms', 'conforms'], 'conforms'],
    [['conforms', 'inconclusive'], 'inconclusive'],
    [['inconclusive', 'deviates', 'conforms'], 'deviates'],
    [[], 'inconclusive'],
  ])('the verdict over versions %j is %s', (verdicts, worst) => expect(worstVerdict(verdicts)).toBe(worst))
})

test('a limit is missed only when it is exceeded', () => {
  expect(missedLimits({ ...none, untested: 4 }, { maxUntested: 4 })).toEqual([])
  expect(missedLimits({ ...none, untested: 5 }, { maxUntested: 4 })).toEqual([
    '5 checks are untested, but gate.maxUntested allows only 4',
  ])
  expect(missedLimits({ ...none, untested: 5 }, {})).toEqual([])
})
