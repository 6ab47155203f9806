/** Why a request was not sent. The layers above turn it into a sentence. */
export type NotSentReason =
  /** The run is read-only, and the method may change data. */
  | { readonly code: 'read-only'; readonly method: string }
  /** The run has sent as many requests as it may. */
  | { readonly code: 'request-limit'; readonly requests: number }
  /** The bodies received so far have reached the limit in bytes. */
  | { readonly code: 'byte-limit'; readonly bytes: number }
  /** The run has reached its deadline. */
  | { readonly code: 'time-limit' }
  /** A path parameter is a number that JSON cannot represent exactly. */
  | { readonly code: 'inexact-number'; readonly parameter: string; readonly value: number }

/** A request that the run may not send. The check that needed it cannot be judged. */
export class NotSent extends Error {
  override readonly name = 'NotSent'
  readonly reason: NotSentReason

  constructor(reason: NotSentReason) {
    super(`the request was not sent: ${reason.code}`)
    this.reason = reason
  }
}
