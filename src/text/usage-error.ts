/** A mistake in how the tool was called or configured; the command line answers with its text and exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
