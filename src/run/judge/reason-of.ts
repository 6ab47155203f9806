import { NoAnswer } from '../../http/exchange/no-answer.ts'
import type { NotSent } from '../../http/exchange/not-sent.ts'
import type { Reason } from '../../record/reason.ts'
import type { ProviderFailure } from '../needs/provider-failure.ts'

/** The reason of a check whose request was not sent. */
export function reasonNotSent({ reason }: NotSent): Reason {
  if (reason === 'not-recorded') return { code: 'not-recorded' }
  // The target itself sent the number that the suite cannot send back.
  return reason === 'inexact-number' ? { code: 'unusable-answer' } : { code: 'left-out', by: reason }
}

/** The reason of a check without a usable response. */
export function reasonOfLoss(error: NoAnswer | ProviderFailure): Reason {
  if (!(error instanceof NoAnswer)) return { code: 'provider-failure' }
  const { status, throttled, ...traits } = error.traits
  if (throttled) return { code: 'throttled', ...(status === undefined ? {} : { status }), ...throttled }
  if (status !== undefined) return { code: 'server-unavailable', status }
  if (traits.unreachable) return { code: 'unreachable' }
  if (traits.timeout) return { code: 'timeout' }
  if (traits.dropped) return { code: 'connection-lost' }
  return { code: traits.malformed || traits.final ? 'malformed-answer' : 'no-answer' }
}
