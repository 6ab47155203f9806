/** What is known of a lost answer beside its text. */
export interface NoAnswerTraits {
  /** Nothing listens there: no other request to that host would fare better. */
  readonly unreachable?: boolean
  /** What came is not HTTP/1.1, so that no other request would fare better while nothing else has come. */
  readonly malformed?: boolean
  /** Nothing of the request was sent, so that it can have had no effect. */
  readonly unsent?: boolean
  /** The connection ended while the request was under way: another time it may be answered. */
  readonly dropped?: boolean
  /** The same answer would be refused again: it is larger than what is read. */
  readonly final?: boolean
  /** The time limit of the request ended before its response was complete. */
  readonly timeout?: boolean
  /** The status of the last response, where each attempt was rejected with 429 or a status of a temporary error. */
  readonly status?: number
  /** The target limits the rate of this caller. */
  readonly throttled?: { readonly caller: string }
}

/** No response came: refused, reset, timed out, malformed or too large. The text says which and where. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  readonly traits: NoAnswerTraits

  constructor(message: string, traits: NoAnswerTraits = {}) {
    super(message)
    this.traits = traits
  }
}
