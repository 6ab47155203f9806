import { request } from 'undici'
import { readBounded } from './body.ts'

/** Bounds of one call. */
export interface PostLimits {
  /** On the header block and between chunks of the body; the whole answer may take twice as long. Milliseconds. */
  readonly timeout: number
  /** The longest body that is read. Bytes. */
  readonly largestBody: number
  /** Ends the call. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Posts a value as JSON to a helper of the run, such as a provider; the target is asked by the client alone. Redirects are not followed.
 * Throws `NoAnswer` for a body that is too long, and the network's or the signal's error.
 */
export async function postJson(
  url: string,
  value: unknown,
  { timeout, largestBody, signal }: PostLimits,
): Promise<{ status: number; text: string }> {
  const answer = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(value),
    headersTimeout: timeout,
    bodyTimeout: timeout,
    signal: AbortSignal.any([AbortSignal.timeout(timeout * 2), ...(signal ? [signal] : [])]),
  })
  const body = await readBounded(answer.body, largestBody)
  return { status: answer.statusCode, text: body.toString('utf8') }
}
