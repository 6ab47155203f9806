import { expect, test } from 'vitest'
import { sampleChecks, sampleReport } from '../../../fixtures/samples/report/report.ts'
import { readSchema, validatorOf } from '../../package/schemas.ts'
import { lackOf, phraseOf, type Reason } from '../../record/reason.ts'
import { atPointer } from '../../text/data.ts'

const owner = { need: 'token:owner', kind: 'token', role: 'owner', how: 'add a token' } as const

/** A reason of each code that carries data. */
const withData: Partial<Record<Reason['code'], Reason>> = {
  'missing-need': lackOf([{ need: 'busy-user', how: '' }, owner]),
  'missing-token': lackOf([owner]),
  'unfit-need': lackOf([{ need: 'gist', how: '', unfit: true, found: 'it has no revision' }]),
  'left-out': { code: 'left-out', by: 'byte-limit' },
  throttled: { code: 'throttled', status: 429, caller: 'OWNER_TOKEN', until: '2026-11-20T12:00:00Z' },
  'not-in-version': { code: 'not-in-version', versions: ['2022-11-28'] },
  'not-claimed': { code: 'not-claimed', endpoint: 'GET /gists' },
  'server-unavailable': { code: 'server-unavailable', status: 503 },
  'token-ended': { code: 'token-ended', caller: 'OWNER_TOKEN' },
  flaky: { code: 'flaky', outcomes: ['failed', 'passed'] },
  waived: { code: 'waived', until: '2027-01-31', because: 'slow' },
}

const codes = atPointer(readSchema('report'), '/$defs/check/properties/reason/properties/code/enum') as Reason['code'][]

const reasons = codes.map((code) => withData[code] ?? ({ code } as Reason))

test('each reason has a phrase of its own', () => {
  expect(new Set(reasons.map(phraseOf)).size).toBe(codes.length)
})

test.each(reasons)('the reason $code is valid in a report', (reason) => {
  const checks = sampleChecks()
    .slice(0, 1)
    .map((each) => ({ ...each, reason }))
  const validate = validatorOf('report')
  validate(sampleReport('2026-03-10', checks))
  expect(validate.errors).toBeNull()
})

test.each([
  ['missing-need', 'busy-user not provided, no token configured for the role owner'],
  ['unfit-need', 'gist was given, but it has no revision'],
  ['waived', 'waived until 2027-01-31: slow'],
])('the phrase of the reason %s names its data', (code, phrase) => {
  const reason = reasons.find((each) => each.code === code)
  expect(reason && phraseOf(reason)).toBe(phrase)
})
