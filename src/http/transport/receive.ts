import type { Dispatcher } from 'undici'
import type { HeaderLine } from '../../record/exchange-record.ts'
import { GatheredBody } from '../exchange/body.ts'
import type { ReceivedResponse } from '../exchange/exchange.ts'
import { headerLines, type WireRequest } from '../exchange/wire.ts'

/** Where one answer comes from, and within which bounds. */
export interface ReceiveOptions {
  readonly dispatcher: Dispatcher
  /** The longest body that is read, as it is sent. Bytes. */
  readonly largestBody: number
  /** On the header block and between chunks of the body, where the dispatcher has no bounds of its own. Milliseconds. */
  readonly timeout?: number
  /** Told how to give up the request, before it is sent. */
  readonly onBegun: (giveUp: (reason: Error) => void) => void
}

/** Sends one request and receives its answer whole. Throws `NoAnswer` for a body that is too long, what it was given up for, or the error of the network. */
export function receive(
  wire: WireRequest,
  { dispatcher, largestBody, timeout, onBegun }: ReceiveOptions,
): Promise<ReceivedResponse> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined
    let givenUp: Error | undefined
    onBegun((reason) => {
      givenUp = reason
      controller?.abort(reason)
      reject(reason)
    })
    let [status, headers, body]: [number, HeaderLine[], GatheredBody | undefined] = [0, [], undefined]
    dispatcher.dispatch(requestOptions(wire, timeout), {
      onRequestStart: (started) => {
        controller = started
        if (givenUp) started.abort(givenUp)
      },
      onResponseStart: ({ rawHeaders }, statusCode) => {
        status = statusCode
        headers = headerLines(rawHeaders as (Buffer | string)[])
        body = new GatheredBody(largestBody, lengthIn(headers))
      },
      // What this throws ends the request and comes back as its error.
      onResponseData: (_, chunk) => body?.add(chunk),
      onResponseEnd: () => resolve({ status, headers, body: body?.bytes ?? Buffer.alloc(0) }),
      onResponseError: (_, error) => reject(error),
    })
  })
}

function requestOptions({ url, method, headers, body }: WireRequest, timeout: number | undefined): Dispatcher.DispatchOptions {
  const { origin, pathname, search } = new URL(url)
  return {
    origin,
    path: pathname + search,
    method: method as Dispatcher.HttpMethod,
    headers: headers.flat(),
    body: body ?? null,
    ...(timeout === undefined ? {} : { headersTimeout: timeout, bodyTimeout: timeout }),
  }
}

/** The length that an answer states; not a number where it states none. */
function lengthIn(headers: readonly HeaderLine[]): number {
  return Number(headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1])
}
