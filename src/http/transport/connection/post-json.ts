import { Client } from 'undici'
import { withDeadline } from '../time/budget.ts'
import { type RequestLimits, receive } from './receive.ts'

/** Posts JSON on a connection of its own, within twice the time-out. Throws `NoResponse`, or the signal's reason. */
export async function postJson(
  url: string,
  value: unknown,
  {
    timeout,
    largestBody,
    signal,
  }: Omit<RequestLimits, 'signal'> & { readonly signal?: AbortSignal | undefined },
): Promise<{ status: number; text: string }> {
  const call = {
    method: 'POST',
    url,
    headers: [['content-type', 'application/json']] as const,
    body: JSON.stringify(value),
  }
  const dispatcher = new Client(new URL(url).origin, {
    headersTimeout: timeout,
    bodyTimeout: timeout,
  })
  try {
    const { status, body } = await withDeadline(timeout * 2, signal, (ending) =>
      receive(call, dispatcher, { timeout, largestBody, signal: ending }),
    )
    return { status, text: body.toString('utf8') }
  } finally {
    await dispatcher.destroy()
  }
}
