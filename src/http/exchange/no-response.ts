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
  /** The status of the last response, where each attempt was rejected with 429 or a status of a temporary error. */
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
