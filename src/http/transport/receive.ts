import { type Dispatcher, errors } from 'undici'
import type { HeaderLine } from '../../record/exchange-record.ts'
import { BodyCollector } from '../exchange/body.ts'
import type { ReceivedResponse } from '../exchange/exchange.ts'
import { headerLines, isBodiless, type WireRequest } from '../exchange/wire.ts'
import type { Progress } from './failure.ts'
import type { RequestDeadline } from './request-deadline.ts'

/** The connections for one request, and its limits. */
export interface ReceiveOptions {
  readonly dispatcher: Dispatcher
  /** The longest body that is read, before decoding. Bytes. */
  readonly largestBody: number
  readonly deadline: RequestDeadline
  /** Updated while the request proceeds. */
  readonly progress?: Progress
}

/** Sends one request and receives the whole response. Throws `NoAnswer` for a body that is too long, the deadline's reason, or a network error. */
export function receive(
  wire: WireRequest,
  { dispatcher, largestBody, deadline, progress = { sent: false } }: ReceiveOptions,
): Promise<ReceivedResponse> {
  return new Promise((resolve, reject) => {
    const body = new BodyCollector(largestBody)
    let headers: HeaderLine[] = []
    const complete = () => resolve({ status: progress.status ?? 0, headers, body: body.bytes })
    // undici rejects a 304 or 204 that states a Content-Length, which RFC 9110 (8.6) permits.
    const isComplete = (error: Error) =>
      error instanceof errors.ResponseContentLengthMismatchError && isBodiless(progress.status ?? 0)
    deadline.onExpire(reject)
    // An error that is thrown here ends the request and arrives at onResponseError.
    dispatcher.dispatch(requestOptions(wire), {
      onRequestStart: (controller) => {
        progress.sent = true
        deadline.onExpire((reason) => {
          controller.abort(reason)
          reject(reason)
        })
        if (deadline.reason) controller.abort(deadline.reason)
      },
      onResponseStart: ({ rawHeaders }, status) => {
        // An interim response precedes the final one.
        if (status < 200) return
        progress.status = status
        headers = headerLines(rawHeaders as (Buffer | string)[])
        if (!isBodiless(status)) body.expect(headers)
      },
      onResponseData: (_, chunk) => body.add(chunk),
      onResponseEnd: complete,
      onResponseError: (_, error) => (isComplete(error) ? complete() : reject(error)),
    })
  })
}

function requestOptions({ url, method, headers, body }: WireRequest): Dispatcher.DispatchOptions {
  const { origin, pathname, search } = new URL(url)
  return {
    origin,
    path: pathname + search,
    method: method as Dispatcher.HttpMethod,
    headers: headers.flat(),
    body: body ?? null,
  }
}
