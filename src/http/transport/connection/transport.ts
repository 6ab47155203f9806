import type { ReceivedResponse } from '../../exchange/exchange.ts'
import type { WireRequest } from '../../exchange/wire.ts'

/** Reads a body to its end, or stops when it has read enough. */
export type Consume<Result> = (body: AsyncIterable<Buffer>) => Promise<Result>

/** A response whose body was consumed while it arrived; `result` is only present for status 200. */
export interface Streamed<Result> {
  readonly response: ReceivedResponse
  readonly result?: Result
}

/** Sends the requests of one client: the network, the network with a recorder, or a recorded run. */
export interface Transport {
  /** Observations about the connections that belong to no check, as sentences. */
  readonly notes: readonly string[]
  /** Sends once. Throws `NoAnswer`, or `NotSent` for a request that a recording does not contain. */
  send(wire: WireRequest, signal: AbortSignal): Promise<ReceivedResponse>
  /** Sends once and passes the body of a 200 to `consume`. Throws like {@link send}. */
  stream<Result>(wire: WireRequest, signal: AbortSignal, consume: Consume<Result>): Promise<Streamed<Result>>
}
