import type { Exchange } from '../../http/exchange/exchange.ts'
import type { Made } from './undo.ts'

/** What a check used and examined while it ran. */
export interface Trace {
  subjects: number
  readonly exchanges: Set<Exchange>
  /** What the check made and how it is undone, in the order it was made. */
  readonly made: Made[]
  /** What the check was given of its needs. */
  readonly given: Set<unknown>
}

/** Attributes an exchange to a check, whoever sent it, and returns it. */
export function noteExchange(trace: Trace, exchange: Exchange): Exchange {
  trace.exchanges.add(exchange)
  return exchange
}
