/** The provider broke its contract; the text names the provider, the need and what was wrong. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure'
}
