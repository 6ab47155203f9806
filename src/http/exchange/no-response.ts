/** Facts about a lost response, besides the message of the error. */
export interface NoResponseTraits {
  /** No server listens at that address, so other requests to the host would fail as well. */
  readonly unreachable?: boolean
  /** The bytes received are not HTTP/1.1. */
  readonly malformed?: boolean
  /** No byte of the request was sent, so it had no effect. */
  readonly unsent?: boolean
  /** The connection ended while the request was in flight; a repeat may succeed. */
  readonly dropped?: boolean
  /** The connection ended before a complete header block, although the target had sent bytes on it before. */
  readonly lostWithKept?: boolean
  /** A time limit of the request ended before its response was complete. */
  readonly timedOut?: boolean
  /** The status of the last response, where each attempt was refused with 429 or a status of a temporary error. */
  readonly status?: number
  /** The target limits the request rate of this caller, until this time if it states one (ISO 8601). */
  readonly throttled?: { readonly caller: string; readonly until?: string }
  /** The token of this caller was accepted before and is refused now. */
  readonly ended?: { readonly caller: string }
  /** A repeat would be refused as well: the response exceeds a limit on its size. */
  readonly final?: boolean
}

/** No usable response: refused, reset, timed out, malformed or too large. The text names the reason and the place. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse'
  readonly traits: NoResponseTraits

  constructor(message: string, traits: NoResponseTraits = {}) {
    super(message)
    this.traits = traits
  }
}

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
  /** The address is not on the target, the only server that receives a token. */
  | { readonly code: 'foreign-address'; readonly address: string; readonly origin: string }

/** A request that the run may not send. The check that needed it cannot be judged. */
export class NotSent extends Error {
  override readonly name = 'NotSent'
  readonly reason: NotSentReason

  constructor(reason: NotSentReason) {
    super(`the request was not sent: ${reason.code}`)
    this.reason = reason
  }
}
