/**
 * A request that this run may not send: it would write in a read-only run, or exceed what `--max-requests` allows.
 * Whoever asked for it can judge nothing by it.
 */
export class NotSent extends Error {
  override readonly name = 'NotSent'
}
