import type { Exchange } from '../../http/exchange/exchange.ts'
import type { Made } from './undo.ts'

/** The use of a check while it ran. */
export interface Trace {
  subjects: number
  readonly exchanges: Set<Exchange>
  /** The objects that the check made and how they are removed, in the order of their creation. */
  readonly made: Made[]
  /** The test data of the check. */
  readonly given: Set<unknown>
}

/** Attributes an exchange to a check and returns it. */
export function noteExchange(trace: Trace, exchange: Exchange): Exchange {
  trace.exchanges.add(exchange)
  return exchange
}
