import { describe, expect, test } from 'vitest'
import { sampleChecks, sampleReport } from '../../fixtures/samples/report/report.ts'
import { defaults } from '../config/config.ts'
import type { CheckRecord } from '../record/check-record.ts'
import { type GateLimits, noCrossVersion, type Waiver } from '../record/run-record.ts'
import { judgeGate } from './gate.ts'
import { assessWaivers, checkWaivers, waiverFaults, waiverNotices } from './waivers.ts'

const waiver: Waiver = {
  check: 'events.public.shape',
  reason: 'being fixed',
  owner: 'mona',
  link: 'https://tracker.example/1',
  expires: '2026-12-31',
  at: 'conformance.config.yaml:12',
}

function reportsWith(...outcomes: CheckRecord['outcome'][]) {
  const check = sampleChecks()[0] as CheckRecord
  return outcomes.map((outcome, index) => sampleReport(index === 0 ? '2022-11-28' : '2026-03-10', [{ ...check, outcome }]))
}

/** The waiver as it is assessed beside these outcomes. */
const assessed = (outcomes: readonly CheckRecord['outcome'][], today = '2026-11-20', changed: Partial<Waiver> = {}) =>
  assessWaivers([{ ...waiver, ...changed }], reportsWith(...outcomes), today)

/** The judgement of the gate with these limits. */
function judged(
  limits: Partial<GateLimits>,
  outcomes: readonly CheckRecord['outcome'][],
  more: Partial<Parameters<typeof judgeGate>[0]> = {},
) {
  const gate = { ...defaults.gate, ...limits }
  return judgeGate({ gate, reports: reportsWith(...outcomes), crossVersion: noCrossVersion, waivers: [], ...more })
}

describe('a waiver', () => {
  test.each([
    ['covers a failure', '2026-11-20', ['waived', 'waived'], 'active'],
    ['is announced 14 days before its end', '2026-12-17', ['waived', 'waived'], 'expiring'],
    ['applies through its last day', '2026-12-31', ['waived', 'waived'], 'expiring'],
    ['is over on the next', '2027-01-01', ['failed', 'failed'], 'expired'],
    ['is stale when the check passes', '2026-11-20', ['passed', 'passed'], 'stale'],
    ['is stale when the check passes where it applies', '2026-11-20', ['inapplicable', 'passed'], 'stale'],
    ['is kept while one version still needs it', '2026-11-20', ['passed', 'waived'], 'active'],
    ['is kept while nothing is known', '2026-11-20', ['untested', 'passed'], 'active'],
  ] as const)('a waiver %s', (_, today, outcomes, state) => {
    expect(assessed(outcomes, today)[0]?.state).toBe(state)
  })

  test('a waiver of one version applies only to that version', () => {
    expect(assessed(['waived', 'passed'], undefined, { versions: ['2026-03-10'] })[0]?.state).toBe('stale')
  })

  test('a waiver of a check that was not selected is unused and fails nothing', () => {
    const unused = assessed(['passed'], undefined, { check: 'events.public.other' })
    expect(unused).toMatchObject([{ state: 'unused' }])
    expect(waiverFaults(unused)).toEqual([])
  })

  test('an expired or stale waiver fails the gate and is reported with its line', () => {
    expect(waiverFaults([...assessed(['failed'], '2027-01-01'), ...assessed(['passed'])])).toEqual([
      'conformance.config.yaml:12: the waiver of events.public.shape expired on 2026-12-31',
      'conformance.config.yaml:12: the waiver of events.public.shape is stale: the check passes; remove the entry',
    ])
  })

  test('a waiver that covers more versions than needed is reported as too wide', () => {
    const reports = reportsWith('passed', 'waived')
    expect(waiverNotices(assessWaivers([waiver], reports, '2026-11-20'), reports)).toEqual([
      'conformance.config.yaml:12: the check events.public.shape passes under 2022-11-28; narrow the waiver by "versions"',
    ])
  })

  test('a waiver of a check that does not exist is rejected with a suggestion', () => {
    expect(() => checkWaivers([{ ...waiver, check: 'events.public.shap' }], ['events.public.shape'])).toThrow(
      'conformance.config.yaml:12: there is no check "events.public.shap" (did you mean "events.public.shape"?)',
    )
  })
})

describe('the gate', () => {
  test.each([
    [{}, 'errored', 'inconclusive', ['across versions: 1 check errored']],
    [{ minJudged: 0 }, 'untested', 'inconclusive', ['across versions: no check was judged']],
    [{}, 'untested', 'inconclusive', [expect.stringMatching(/^across versions: 0 of 1 applicable must checks judged/)]],
    [{}, 'inapplicable', 'passed', []],
    [{}, 'failed', 'failed', []],
  ] as const)('with %j what is compared across versions decides too: %s is %s', (gate, outcome, result, open) => {
    const [check] = sampleChecks()
    const checks = [{ ...(check as CheckRecord), outcome, detail: '' }]
    const found = judged(gate, ['passed'], { crossVersion: { ...noCrossVersion, checks } })
    expect({ result: found.result, open: found.open }).toEqual({ result, open })
  })

  test.each([
    [{}, ['passed', 'passed'], 'passed'],
    [{}, ['passed', 'failed'], 'failed'],
    [{}, ['passed', 'errored'], 'inconclusive'],
    [{}, ['errored', 'failed'], 'failed'],
    [{}, ['passed', 'warned'], 'passed'],
    [{ strict: true }, ['passed', 'warned'], 'failed'],
    [{}, ['inapplicable', 'passed'], 'passed'],
    [{}, ['untested', 'untested'], 'inconclusive'],
    [{}, ['passed', 'untested'], 'inconclusive'],
    [{ minJudged: 0 }, ['passed', 'passed'], 'passed'],
    [{ maxUntested: 0 }, ['passed', 'untested'], 'failed'],
    [{ mustConform: { versions: ['2022-11-28'] } }, ['passed', 'failed'], 'passed'],
    [{ mustConform: { areas: ['migrations'] } }, ['failed', 'failed'], 'inconclusive'],
    [{ mustConform: { areas: ['events'] } }, ['passed', 'failed'], 'failed'],
  ] as const)('the gate with limits %j and outcomes %j is %s', (gate, outcomes, result) => {
    expect(judged(gate as Partial<GateLimits>, outcomes).result).toBe(result)
  })

  test.each([
    [true, ['passed', 'untested'], {}, 'failed'],
    [true, ['passed', 'warned'], {}, 'passed'],
    [true, ['passed', 'warned'], { strict: true }, 'failed'],
    [true, ['passed', 'waived'], {}, 'passed'],
    [undefined, ['passed', 'untested'], { minJudged: 0 }, 'inconclusive'],
  ] as const)(
    'provisional: %s, the gate over %j that missed an effect, with limits %j, is %s',
    (provisional, outcomes, gate, result) => {
      const reports = reportsWith(...outcomes).map((report, index) => ({
        ...report,
        checks: report.checks.map((check) => (index === 0 ? check : { ...check, suspicions: ['an effect'] })),
      }))
      expect(judged(gate, outcomes, { reports, ...(provisional ? { provisional } : {}) }).result).toBe(result)
    },
  )

  test('the gate counts the deviations that gate.mustConform leaves out', () => {
    const outside = 'gate.mustConform leaves out 1 deviation'
    expect(judged({ mustConform: { versions: ['2022-11-28'] } }, ['passed', 'failed']).warnings).toEqual([outside])
    expect(judged({ mustConform: { areas: ['migrations'] } }, ['failed', 'failed']).warnings).toEqual([
      'gate.mustConform leaves out 2 deviations',
    ])
    expect(judged({ mustConform: { areas: ['events'] } }, ['failed', 'failed']).warnings).toEqual([])
  })

  test('an inconclusive gate says why for each version that counts', () => {
    expect(judged({}, ['errored', 'untested']).open).toEqual([
      expect.stringMatching(/^2022-11-28: 1 check errored: expected something, got /),
      '2026-03-10: 0 of 1 applicable must checks judged; gate.minJudged requires 50 %',
    ])
    expect(judged({ mustConform: { versions: ['2026-03-10'] } }, ['errored', 'passed']).open).toEqual([])
    const none = ['no selected check is one of gate.mustConform']
    expect(judged({ mustConform: { areas: ['migrations'] } }, ['failed']).open).toEqual(none)
  })
})
