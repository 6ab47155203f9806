import { describe, expect, test } from 'vitest'
import type { Level } from '../spec/requirements.ts'
import { type Outcome, outcomes } from './reason.ts'
import { coverageOf, coverageText, isThin, percentOf, verdictText } from './verdict.ts'

const check = (outcome: Outcome, level: Level = 'must') => ({ outcome, level })

describe('the coverage', () => {
  test('errored and untested checks apply without being judged, and inapplicable ones do not count', () => {
    const checks = outcomes.flatMap((outcome) => [check(outcome), check(outcome, 'should')])
    expect(coverageOf(checks)).toEqual({ judged: 8, applicable: 12, judgedMust: 4, applicableMust: 6 })
  })

  test('a verdict is stated together with its coverage', () => {
    const coverage = { judged: 34, applicable: 1629, judgedMust: 30, applicableMust: 1500 }
    const share = '34 of 1,629 applicable checks judged (2 %)'
    expect(verdictText('conforms', coverage, {})).toBe(`conforms, ${share}`)
    expect(verdictText('conforms', coverage, { provisional: true })).toBe(`conforms (provisional), ${share}`)
    expect(coverageText({ ...coverage, judged: 0, applicable: 0 })).toBe('0 of 0 applicable checks judged (0 %)')
  })

  test.each([
    [1999, 2000, '99 %'],
    [2000, 2000, '100 %'],
    [1, 2000, 'under 1 %'],
    [0, 2000, '0 %'],
  ])('%i of %i is %s', (part, whole, text) => expect(percentOf(part, whole)).toBe(text))
})

test('less than half of the must checks is thin, however many checks of level should were judged', () => {
  const half = [check('passed'), check('untested')]
  expect(isThin([check('passed'), check('untested', 'should'), check('untested', 'should')])).toBe(false)
  expect(isThin(half)).toBe(false)
  expect(isThin([...half, check('errored'), check('passed', 'should')])).toBe(true)
})
