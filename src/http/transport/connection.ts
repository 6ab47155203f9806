import { bodyBudget } from '../exchange/body.ts'
import { decode } from '../exchange/decode.ts'
import type { ReceivedResponse } from '../exchange/exchange.ts'
import { failureOf } from '../exchange/failure.ts'
import { refuseOversizedJson } from '../exchange/json-budget.ts'
import { NoAnswer } from '../exchange/no-answer.ts'
import { type Consume, isNetworkFailure, receiveStream, type Streamed } from '../exchange/stream.ts'
import type { WireRequest } from '../exchange/wire.ts'
import { Ending } from './ending.ts'
import { type Lane, Lanes } from './lane.ts'
import { receive } from './receive.ts'
import type { Transport } from './transport.ts'

/** How long stray bytes behind a bodiless response are waited for; loopback and LAN deliver them within a packet. Milliseconds. */
const strayGrace = 25

/** Opens connections to the target, with the same time-out on connecting, on the header block and between body chunks. */
export class Connection implements Transport {
  readonly #timeout: number
  readonly #largestBody: number
  readonly #lanes: Lanes
  #strayBehindAnswers = false

  /** `timeout` in milliseconds; `largestBody` in bytes, after decoding. */
  constructor(timeout: number, largestBody = bodyBudget) {
    this.#timeout = timeout
    this.#largestBody = largestBody
    this.#lanes = new Lanes(timeout)
  }

  /** What was noticed about the connections and belongs to no check, as sentences. */
  get notes(): readonly string[] {
    return this.#strayBehindAnswers
      ? [
          'the target sends bytes behind its answers that belong to no answer; each request was sent on a new connection from then on',
        ]
      : []
  }

  within<Result>(_scope: string, work: () => Result): Result {
    return work()
  }

  admit(_wire: WireRequest, decide: () => void): void {
    decide()
  }

  /**
   * Sends once, follows nothing. A GET or PUT that is lost with a connection that served others before, without a byte of an
   * answer, is sent again at once on a new connection: the target may close one at any time (RFC 9112, 9.5). What may not be
   * repeated goes on a new connection, as its loss would prove nothing about what became of it (9.3.1), until the target has
   * shown that it keeps its connections open.
   * Throws {@link NoAnswer}, or the signal's reason when it was aborted.
   */
  async send(wire: WireRequest, signal: AbortSignal): Promise<ReceivedResponse> {
    signal.throwIfAborted()
    const ending = new Ending(this.#timeout * 3, signal)
    try {
      return await this.#send(wire, ending)
    } catch (error) {
      throw ending.reason ?? error
    } finally {
      ending.over()
    }
  }

  /** Sends once, on a connection of its own, and hands the body of a 200 to `consume` instead of storing it. Throws like {@link send}. */
  async stream<Result>(wire: WireRequest, signal: AbortSignal, consume: Consume<Result>): Promise<Streamed<Result>> {
    const lane = this.#lanes.open(new URL(wire.url).origin)
    try {
      return await receiveStream(lane.client, wire, signal, this.#timeout, consume)
    } catch (error) {
      signal.throwIfAborted()
      throw isNetworkFailure(error) ? failureOf(error, lane.framing, this.#timeout) : error
    } finally {
      await lane.destroy()
    }
  }

  async close(): Promise<void> {
    await this.#lanes.close()
  }

  async #send(wire: WireRequest, ending: Ending): Promise<ReceivedResponse> {
    const { origin } = new URL(wire.url)
    const alone = wire.tapped || wire.fresh || this.#strayBehindAnswers
    if (alone || !(isRepeatable(wire.method) || this.#lanes.isTrusted)) {
      return this.#sendOver(this.#lanes.open(origin), wire, ending, false)
    }
    const lane = isRepeatable(wire.method) ? this.#lanes.take(origin) : this.#lanes.takeRecent(origin)
    try {
      return await this.#sendOver(lane, wire, ending, true)
    } catch (error) {
      if (lane.lostByReuse) this.#lanes.distrust()
      if (ending.reason || !lane.lostByReuse || !isRepeatable(wire.method)) throw error
      return this.#sendOver(this.#lanes.open(origin), wire, ending, true)
    }
  }

  /** Sends over one connection, which is kept for the next request when it is fit for one and `reusable`. */
  async #sendOver(lane: Lane, wire: WireRequest, ending: Ending, reusable: boolean): Promise<ReceivedResponse> {
    let keep = false
    try {
      const response = await this.#receive(lane, wire, ending)
      const answer = wire.tapped ? await this.#tapped(lane, response) : response
      if (lane.framing?.strayBytes && !lane.framing.bodiless) this.#strayBehindAnswers = true
      keep = reusable && !this.#strayBehindAnswers
      return answer
    } catch (error) {
      throw error instanceof NoAnswer || ending.reason ? error : failureOf(error, lane.framing, this.#timeout)
    } finally {
      if (keep) this.#lanes.keep(lane)
      else await lane.destroy()
    }
  }

  /** With the bytes that followed the header block; who sends some behind any answer says nothing by those behind a bodiless one. */
  async #tapped(lane: Lane, response: ReceivedResponse): Promise<ReceivedResponse> {
    if (response.body.length === 0) await strayBytesArrived()
    const { strayBytes = 0, bodyBytes = 0, bodiless = false } = lane.framing ?? {}
    if (strayBytes > 0 && bodiless && this.#strayBehindAnswers) {
      throw new NoAnswer(`${strayBytes} bytes followed the answer, as they do other answers of the target; they belong to none`)
    }
    return { ...response, strayBytes: bodyBytes + strayBytes }
  }

  async #receive(lane: Lane, wire: WireRequest, ending: Ending): Promise<ReceivedResponse> {
    const response = await receive(wire, {
      dispatcher: lane.client,
      largestBody: this.#largestBody,
      onBegun: (giveUp) => ending.is(giveUp),
    })
    if (lane.framing?.foreign !== undefined) throw failureOf(undefined, lane.framing, this.#timeout)
    const body = await decode(response.body, response.headers, this.#largestBody)
    refuseOversizedJson(body)
    return { ...response, body }
  }
}

/** A busy process may find the time over before it has read what came: one more turn of the event loop reads it. */
async function strayBytesArrived(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, strayGrace))
  await new Promise((resolve) => setImmediate(resolve))
}

/** After a lost answer, only what gives the same answer twice may be sent again: a repeated DELETE may find nothing. */
export function isRepeatable(method: string): boolean {
  return method === 'GET' || method === 'PUT'
}
