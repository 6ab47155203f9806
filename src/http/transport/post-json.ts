import type { HeaderLine } from '../../record/exchange-record.ts'
import { Ending } from './ending.ts'
import { receive } from './receive.ts'
import { Agent } from './undici-parts.ts'

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
 * Connections of our own: the process-wide ones may be those of another release of the library, which Node itself brings for `fetch`.
 * Each carries one call: a helper may close an idle one at any moment, and a call that is lost with it may have had its effect.
 */
const helpers = new Agent({ pipelining: 0 })

/**
 * Posts a value as JSON to a helper of the run, such as a provider; the target is asked by the client alone. Redirects are not followed.
 * Throws `NoAnswer` for a body that is too long, and the network's or the signal's error.
 */
export async function postJson(
  url: string,
  value: unknown,
  { timeout, largestBody, signal }: PostLimits,
): Promise<{ status: number; text: string }> {
  signal?.throwIfAborted()
  const ending = new Ending(timeout * 2, signal)
  const headers: HeaderLine[] = [['content-type', 'application/json']]
  const call = { method: 'POST', url, headers, body: JSON.stringify(value) }
  const options = { dispatcher: helpers, timeout, largestBody }
  try {
    const { status, body } = await receive(call, { ...options, onBegun: (giveUp) => ending.is(giveUp) })
    return { status, text: body.toString('utf8') }
  } finally {
    ending.over()
  }
}
