/** The provider broke its contract. The message names the provider, the need and the error. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure'
}
