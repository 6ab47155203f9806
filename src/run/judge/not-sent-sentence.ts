import type { NotSentReason } from '../../http/exchange/not-sent.ts'

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
      return `the recording does not contain the request ${reason.request}`
    case 'body-not-recorded':
      return `the recording does not contain the body of ${reason.request}, which is longer than ${reason.longest} bytes or contains a secret`
    case 'need-not-recorded':
      return `the recording does not contain an answer of the provider for the need "${reason.need}"`
  }
}
