import { Agent } from 'undici'
import type { HeaderLine } from '../../record/exchange-record.ts'
import { receive } from './receive.ts'
import { RequestDeadline } from './request-deadline.ts'

/** Limits of one call. */
export interface PostLimits {
  /** For the header block and between chunks of the body; the whole response may take twice as long. Milliseconds. */
  readonly timeout: number
  /** The longest body that is read. Bytes. */
  readonly largestBody: number
  /** Ends the call. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Posts a value as JSON to a helper of the run, such as a provider, on a connection of its own. Does not follow redirects.
 * Throws `NoAnswer`, or the signal's reason.
 */
export async function postJson(
  url: string,
  value: unknown,
  { timeout, largestBody, signal }: PostLimits,
): Promise<{ status: number; text: string }> {
  signal?.throwIfAborted()
  const deadline = new RequestDeadline(timeout * 2, signal)
  const headers: HeaderLine[] = [['content-type', 'application/json']]
  const dispatcher = new Agent({ headersTimeout: timeout, bodyTimeout: timeout })
  try {
    const call = { method: 'POST', url, headers, body: JSON.stringify(value) }
    const { status, body } = await receive(call, dispatcher, { timeout, largestBody, signal: deadline.signal })
    return { status, text: body.toString('utf8') }
  } finally {
    deadline.clear()
    await dispatcher.destroy()
  }
}
