import type { Exchange } from '../../http/exchange/exchange.ts'

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

/** An object on the target, and how it is removed. */
export interface Made {
  readonly what: string
  readonly undo: () => Promise<unknown>
}

/** Removes objects, the latest first. An object that cannot be removed is named in `leftBehind` and never fails a check. */
export async function undoAll(made: Made[], leftBehind: string[], onUndone: (what: string) => void = () => {}): Promise<void> {
  for (const { what, undo } of made.splice(0).reverse()) {
    try {
      await undo()
      onUndone(what)
    } catch {
      leftBehind.push(what)
    }
  }
}
