import { expect, test } from 'vitest'
import { sampleChecks, sampleReport } from '../../../fixtures/samples/report/report.ts'
import { readSchema, validatorOf } from '../../package/schemas.ts'
import { lackOf, phraseOf, type Reason } from '../../record/reason.ts'
import { atPointer } from '../../text/data.ts'

const owner = { need: 'token:owner', how: 'add a token' }

/** One reason of each code, with its phrase. */
const reasons = {
  'missing-need': [
    lackOf([{ need: 'busy-user', how: '' }, owner]),
    'busy-user not provided, no token configured for the role owner',
  ],
  'missing-token': [lackOf([owner]), 'no token configured for the role owner'],
  'unfit-need': [lackOf([{ need: 'gist', how: '', unfit: true }]), 'gist provided, but not suitable'],
  'left-out': [{ code: 'left-out', by: 'byte-limit' }, 'left out: limit of bytes reached'],
  'nothing-to-examine': [{ code: 'nothing-to-examine' }, 'nothing to examine'],
  'unusable-answer': [{ code: 'unusable-answer' }, 'response not usable'],
  throttled: [{ code: 'throttled', status: 429, caller: 'OWNER_TOKEN', until: '2026-11-20T12:00:00Z' }, 'target throttles'],
  'not-in-version': [{ code: 'not-in-version', versions: ['2022-11-28'] }, 'only in 2022-11-28'],
  'not-claimed': [{ code: 'not-claimed', endpoint: 'GET /gists' }, 'GET /gists not offered'],
  unreachable: [{ code: 'unreachable' }, 'target not reachable'],
  timeout: [{ code: 'timeout' }, 'no response in time'],
  'connection-lost': [{ code: 'connection-lost' }, 'connection lost'],
  'malformed-answer': [{ code: 'malformed-answer' }, 'response not readable'],
  'no-answer': [{ code: 'no-answer' }, 'no response'],
  'server-unavailable': [{ code: 'server-unavailable', status: 503 }, 'server error 503'],
  'token-ended': [{ code: 'token-ended', caller: 'OWNER_TOKEN' }, 'token OWNER_TOKEN accepted first and rejected later'],
  'provider-failure': [{ code: 'provider-failure' }, 'provider failed'],
  interrupted: [{ code: 'interrupted' }, 'run interrupted during the check'],
  'not-begun': [{ code: 'not-begun' }, 'run interrupted before the check'],
  'not-confirmed': [{ code: 'not-confirmed' }, 'suspicion not confirmed'],
  'suite-error': [{ code: 'suite-error' }, 'error of the suite'],
  'engine-error': [{ code: 'engine-error' }, 'judging ended early'],
  flaky: [{ code: 'flaky', outcomes: ['failed', 'passed'] }, 'flaky: failed, passed'],
  waived: [{ code: 'waived', until: '2027-01-31', because: 'slow' }, 'waived until 2027-01-31: slow'],
} as const satisfies Record<Reason['code'], readonly [Reason, string]>

test.each(Object.entries(reasons))('the reason %s has a phrase and is valid in a report', (_, [reason, phrase]) => {
  expect(phraseOf(reason)).toBe(phrase)
  const [check] = sampleChecks().map((each) => ({ ...each, reason }))
  const validate = validatorOf('report')
  validate(sampleReport('2026-03-10', check ? [check] : []))
  expect(validate.errors).toBeNull()
})

test('the schema lists the same codes', () => {
  const listed = atPointer(readSchema('report'), '/$defs/check/properties/reason/properties/code/enum')
  expect(new Set(listed as string[])).toEqual(new Set(Object.keys(reasons)))
})
