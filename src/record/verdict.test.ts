import { describe, expect, test } from 'vitest'
import type { CheckRecord } from './check-record.ts'
import { outcomes } from './reason.ts'
import type { Totals, Verdict } from './run-record.ts'
import { countOutcomes, missedLimits, openReasons, verdictOf, worstVerdict } from './verdict.ts'

const none = Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Totals

test('each outcome is counted, and absent outcomes count as zero', () => {
  const records = (['passed', 'passed', 'untested'] as const).map((outcome) => ({ outcome }) as CheckRecord)
  expect(countOutcomes(records)).toEqual({ ...none, passed: 2, untested: 1 })
})

/** Checks of one level, as many of each outcome as asked for. */
function checksWith(counts: Partial<Totals>, level: CheckRecord['level'] = 'must') {
  return outcomes.flatMap((outcome) => Array.from({ length: counts[outcome] ?? 0 }, () => ({ outcome, level }) as CheckRecord))
}

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
    expect(verdictOf(checksWith(totals), { strict: false })).toBe(lenient)
    expect(verdictOf(checksWith(totals), { strict: true })).toBe(strict)
  })

  test.each<[Partial<Totals>, number, Verdict]>([
    [{ passed: 5, untested: 5 }, 50, 'conforms'],
    [{ passed: 5, untested: 6 }, 50, 'inconclusive'],
    [{ passed: 5, untested: 6, inapplicable: 90 }, 45, 'conforms'],
    [{ failed: 1, untested: 99 }, 50, 'deviates'],
    [{ passed: 1 }, 100, 'conforms'],
  ])('the verdict over %j with at least %i %% judged is %s', (totals, minJudged, verdict) =>
    expect(verdictOf(checksWith(totals), { strict: false, minJudged })).toBe(verdict),
  )

  test('checks of level should count neither for nor against the share that must be judged', () => {
    const checks = [...checksWith({ passed: 1, untested: 1 }), ...checksWith({ untested: 9 }, 'should')]
    expect(verdictOf(checks, { strict: false, minJudged: 50 })).toBe('conforms')
    expect(verdictOf([...checks, ...checksWith({ passed: 9 }, 'should')], { strict: false, minJudged: 51 })).toBe('inconclusive')
  })

  test('an inconclusive verdict has its reason', () => {
    expect(openReasons(checksWith({ passed: 1, untested: 2 }), { strict: false, minJudged: 50 })).toEqual([
      '1 of 3 applicable must checks judged; gate.minJudged requires 50 %',
    ])
    expect(openReasons(checksWith({ passed: 9, errored: 2 }), { strict: false, minJudged: 50 })).toEqual(['2 checks errored'])
    expect(openReasons(checksWith({ passed: 1 }), { strict: false, minJudged: 50 })).toEqual([])
  })

  test('a verdict that is left open by a throttling target says so', () => {
    const [one, other] = checksWith({ untested: 1, passed: 1 }) as [CheckRecord, CheckRecord]
    const checks = [{ ...one, outcome: 'untested' as const, reason: { code: 'throttled' as const, status: 429 } }, other]
    expect(openReasons(checks, { strict: false, minJudged: 100 })).toEqual([
      expect.stringMatching(/gate\.minJudged requires 100 %; the target throttles the caller, which leaves 1 check untested$/),
    ])
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
