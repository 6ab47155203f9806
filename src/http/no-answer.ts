/** No response came: refused, reset, timed out, malformed or too large. The text says which and where. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  /** Nothing listens there: no other request to that host would fare better. */
  readonly unreachable: boolean
  constructor(message: string, unreachable = false) {
    super(message)
    this.unreachable = unreachable
  }
}
