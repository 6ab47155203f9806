import type { ReceivedResponse } from '../exchange/exchange.ts'
import type { Consume, Streamed } from '../exchange/stream.ts'
import type { WireRequest } from '../exchange/wire.ts'

/** What carries the requests of one client: the network, the network with a recorder before it, or the record of a former run. */
export interface Transport {
  /** What was noticed on the way and belongs to no check, as sentences. */
  readonly notes: readonly string[]
  /** Does what a check asks for, or what several of them share, under one name: the record is kept by these names. `wire` is part of the name. */
  within<Result>(scope: string, work: () => Result, wire?: WireRequest): Result
  /** Lets a request be sent unless `decide` throws; what was decided in a recorded run is decided again. */
  admit(wire: WireRequest, decide: () => void): void
  /** Sends once. Throws `NoAnswer`, or `NotSent` for what a record does not contain. */
  send(wire: WireRequest, signal: AbortSignal): Promise<ReceivedResponse>
  /** Sends once and hands the body of a 200 to `consume`. Throws like {@link send}. */
  stream<Result>(wire: WireRequest, signal: AbortSignal, consume: Consume<Result>): Promise<Streamed<Result>>
}
