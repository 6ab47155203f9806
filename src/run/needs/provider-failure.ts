/** The provider broke its contract. The message names the provider, the need and the error. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure'
  /** The error alone, without the need and the request. */
  readonly reason: string

  constructor(message: string, reason = message) {
    super(message)
    this.reason = reason
  }
}
