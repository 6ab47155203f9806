import { NoAnswer } from '../../http/exchange/no-answer.ts'
import type { NotSentReason } from '../../http/exchange/not-sent.ts'
import type { Reason } from '../../record/reason.ts'
import type { ProviderFailure } from '../needs/provider-failure.ts'

/** The reason of a check whose request was not sent. */
export function reasonNotSent({ code }: NotSentReason): Reason {
  switch (code) {
    case 'inexact-number':
      // The target itself sent the number that the suite cannot send back.
      return { code: 'unusable-answer' }
    case 'request-not-recorded':
    case 'body-not-recorded':
    case 'need-not-recorded':
      return { code: 'not-recorded' }
    default:
      return { code: 'left-out', by: code }
  }
}

/** Why a request was not sent, as a sentence with the names of the options that the user set. */
export function notSentSentence(reason: NotSentReason): string {
  switch (reason.code) {
    case 'read-only':
      return `--read-only does not permit ${reason.method}`
    case 'request-limit':
      return `the run has reached its limit of ${reason.requests} requests (--max-requests)`
    case 'byte-limit':
      return `the target has sent ${reason.bytes} bytes, as many as the run may read (limits.totalBytes)`
    case 'time-limit':
      return 'the run has reached its time limit (limits.runMinutes)'
    case 'inexact-number':
      return `the ${reason.parameter} ${reason.value} is beyond 2^53, where numbers of JSON are not read exactly`
    case 'request-not-recorded':
      return `the recording does not contain the request ${reason.request}: the check has changed, or it depends on time or a limit`
    case 'body-not-recorded':
      return `the recording does not contain the body of ${reason.request}, which is longer than ${reason.longest} bytes or contains a secret`
    case 'need-not-recorded':
      return `the recording does not contain an answer of the provider for the need "${reason.need}"`
  }
}

/** The reason of a check without a usable response. */
export function reasonOfLoss(error: NoAnswer | ProviderFailure): Reason {
  if (!(error instanceof NoAnswer)) return { code: 'provider-failure' }
  const { status, throttled, ended, ...traits } = error.traits
  if (ended) return { code: 'token-ended', ...ended }
  if (throttled) return { code: 'throttled', ...(status === undefined ? {} : { status }), ...throttled }
  if (status !== undefined) return { code: 'server-unavailable', status }
  if (traits.unreachable) return { code: 'unreachable' }
  if (traits.timedOut) return { code: 'timeout' }
  if (traits.dropped) return { code: 'connection-lost' }
  return { code: traits.malformed || traits.final ? 'malformed-answer' : 'no-answer' }
}
