import { type Dispatcher, request } from 'undici'
import type { HeaderLine } from '../../record/exchange-record.ts'
import { collectBody } from '../exchange/body.ts'
import type { ReceivedResponse } from '../exchange/exchange.ts'
import { NoAnswer } from '../exchange/no-answer.ts'
import { headerLines, isBodiless, type WireRequest } from '../exchange/wire.ts'
import { answerOf } from './failure.ts'

/** Limits of one request. */
export interface RequestLimits {
  /** The longest silence of the target. Milliseconds. */
  readonly timeout: number
  /** The longest body that is read, before decoding. Bytes. */
  readonly largestBody: number
  readonly signal: AbortSignal
}

/** A response whose body has not been read yet. */
export interface OpenResponse {
  readonly status: number
  readonly headers: readonly HeaderLine[]
  readonly body: Dispatcher.ResponseData['body']
}

/** Sends one request and receives the header block of the response. Throws `NoAnswer`, or the signal's reason. */
export async function openResponse(
  wire: WireRequest,
  dispatcher: Dispatcher,
  limits: Omit<RequestLimits, 'largestBody'>,
): Promise<OpenResponse> {
  const sent = request(wire.url, {
    dispatcher,
    signal: limits.signal,
    method: wire.method as Dispatcher.HttpMethod,
    headers: wire.headers.flat(),
    body: wire.body ?? null,
    responseHeaders: 'raw',
  })
  const { statusCode: status, headers, body } = await answerOf(sent, 'head', limits)
  // Errors reach the reader of the body as well.
  body.on('error', () => {})
  return { status, headers: headerLines(headers as unknown as (Buffer | string)[]), body }
}

/** Sends one request and receives the whole response. Throws like {@link openResponse}. */
export async function receive(wire: WireRequest, dispatcher: Dispatcher, limits: RequestLimits): Promise<ReceivedResponse> {
  const { status, headers, body } = await openResponse(wire, dispatcher, limits)
  // undici rejects a 304 or 204 that states a Content-Length, which RFC 9110 (8.6) permits. Its header block is the whole response.
  if (isBodiless(status)) return { status, headers, body: Buffer.alloc(0) }
  return { status, headers, body: await answerOf(collectBody(body, headers, limits.largestBody), 'body', limits) }
}

/** Runs a request with a signal that ends it after `time` milliseconds with a `NoAnswer`, and with the run for the reason of the run. */
export async function withDeadline<Result>(
  time: number,
  run: AbortSignal | undefined,
  request: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  run?.throwIfAborted()
  const ended = new AbortController()
  const late = new NoAnswer(`no complete answer within ${time / 1000} s`, { timedOut: true })
  const timer = setTimeout(() => ended.abort(late), time)
  const interrupt = () => ended.abort(run?.reason)
  run?.addEventListener('abort', interrupt)
  try {
    return await request(ended.signal)
  } finally {
    clearTimeout(timer)
    run?.removeEventListener('abort', interrupt)
  }
}
