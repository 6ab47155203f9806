import { Agent } from 'undici'
import { decode, defaultBodyLimit, refuseOversizedJson } from '../../exchange/body.ts'
import {
  isBodiless,
  isRepeatable,
  type ReceivedResponse,
  sizeOf,
  type WireRequest,
} from '../../exchange/exchange.ts'
import { NoResponse } from '../../exchange/no-response.ts'
import { withDeadline } from '../time/budget.ts'
import {
  type Consume,
  type RequestLimits,
  receive,
  receiveStream,
  receiveTapped,
  type Streamed,
} from './receive.ts'

/** The longest header block where no other limit is configured. Bytes. */
const defaultHeadLimit = 64 * 1024

/** Sends requests over the network, with one time-out for connecting, for the header block and between body chunks. */
export class ConnectionPool {
  readonly #timeout: number
  readonly #largestBody: number
  readonly #longestHead: number
  /** Connections that carry many requests. */
  readonly #kept: Agent
  /** Connections that carry one request each. */
  readonly #single: Agent
  #sendsStrayBytes = false
  #sendsContinue = false

  /** `timeout` in milliseconds; `largestBody` in bytes, after decoding; `longestHead` in bytes. */
  constructor(timeout: number, largestBody = defaultBodyLimit, longestHead = defaultHeadLimit) {
    this.#timeout = timeout
    this.#largestBody = largestBody
    this.#longestHead = longestHead
    const options = {
      headersTimeout: timeout,
      bodyTimeout: timeout,
      maxHeaderSize: longestHead,
      connect: { timeout },
    }
    this.#kept = new Agent(options)
    this.#single = new Agent({ ...options, pipelining: 0 })
  }

  /** Observations about the connections that belong to no check, as sentences. */
  get notes(): readonly string[] {
    return this.#sendsStrayBytes ? ['the target sends bytes after the end of its responses'] : []
  }

  /** Sends once and follows no redirect. Throws {@link NoResponse}, or the signal's reason when it was aborted. */
  async send(wire: WireRequest, signal: AbortSignal): Promise<ReceivedResponse> {
    return withDeadline(this.#timeout * 3, signal, async (ending) => {
      const response = await this.#send(wire, ending)
      if (sizeOf(response.headers) > this.#longestHead)
        throw new NoResponse(
          `the headers are longer than ${this.#longestHead} bytes (limits.headerBytes)`,
          { final: true },
        )
      const body = await decode(response.body, response.headers, this.#largestBody)
      refuseOversizedJson(body)
      return { ...response, body }
    })
  }

  /** Sends once and passes the body of a 200 to `consume`. Throws like {@link send}. */
  stream<Result>(
    wire: WireRequest,
    signal: AbortSignal,
    consume: Consume<Result>,
  ): Promise<Streamed<Result>> {
    return receiveStream(wire, this.#single, { timeout: this.#timeout, signal }, consume)
  }

  /** Ends all connections, also those with a request in flight. */
  async close() {
    await Promise.all([this.#kept.destroy(), this.#single.destroy()])
  }

  /** Sends writes and repeats on new connections, because a kept one may close at any time. A lost read is repeated once. */
  async #send(wire: WireRequest, signal: AbortSignal) {
    const limits = { timeout: this.#timeout, largestBody: this.#largestBody, signal }
    // undici closes the connection at an unrequested 100 Continue, which Node's client accepts. Many servers send it before a body only.
    if (wire.tapped || wire.body !== undefined || this.#sendsContinue)
      return this.#sendTapped(wire, limits)
    const dispatcher = isRepeatable(wire.method) && !wire.fresh ? this.#kept : this.#single
    try {
      return await receive(wire, dispatcher, limits)
    } catch (error) {
      if (!(error instanceof NoResponse && error.traits.lostWithKept && isRepeatable(wire.method)))
        throw error
      return this.#sendTapped(wire, limits)
    }
  }

  async #sendTapped(wire: WireRequest, limits: RequestLimits) {
    const { response, strayBytes, continued } = await receiveTapped(wire, {
      ...limits,
      longestHead: this.#longestHead,
    })
    this.#sendsContinue ||= continued
    if (strayBytes > 0 && wire.tapped) {
      if (!isBodiless(response.status)) this.#sendsStrayBytes = true
      else if (this.#sendsStrayBytes) {
        throw new NoResponse(
          `${strayBytes} bytes followed the end of the response, as after other responses of the target`,
        )
      }
    }
    return { ...response, strayBytes }
  }
}
