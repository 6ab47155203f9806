import type { Exchange } from '../../http/exchange/exchange.ts'

/** The requests, objects and test data of a check while it runs. */
export interface Trace {
  subjects: number
  readonly exchanges: Set<Exchange>
  /** The objects that the check created, in their order. */
  readonly made: CreatedObject[]
  /** The test data of the check. */
  readonly given: Set<unknown>
}

/** Attributes an exchange to a check and returns it. */
export function noteExchange(trace: Trace, exchange: Exchange): Exchange {
  trace.exchanges.add(exchange)
  return exchange
}

/** An object that a check created on the target. `undo` removes it. */
export interface CreatedObject {
  readonly what: string
  readonly undo: () => Promise<unknown>
}

/** Removes objects, the latest first, and their names from `leftBehind`. An object that cannot be removed never fails a check. */
export async function undoAll(made: CreatedObject[], leftBehind: string[]): Promise<void> {
  for (const { what, undo } of made.splice(0).reverse()) {
    try {
      await undo()
      leftBehind.splice(leftBehind.lastIndexOf(what), 1)
    } catch {
      // The name stays for the report.
    }
  }
}
