import type { Exchange } from '../../http/exchange/exchange.ts'

/** The turn of a running check in its schedule. */
export interface Turn {
  /** Waits without a slot and without the objects of the check, which others may use meanwhile. */
  vacate<Result>(wait: () => Promise<Result>): Promise<Result>
  /** Notes that the check begins or ends to wait for one work in the background. It may wait for several at once. */
  awaitWork(isAwaiting: boolean): void
  /** True when every running check waits for work in the background, and none may begin. */
  isLast(): boolean
}

/** The turn of a check that is judged by itself. */
const onlyTurn: Turn = { vacate: (wait) => wait(), awaitWork: () => {}, isLast: () => false }

/** The requests, objects and test data of a check while it runs. */
export interface Trace {
  readonly check: string
  readonly endpoint?: string
  /** The turn of the check in its schedule. */
  readonly turn: Turn
  /** True while a suspicion is confirmed: the check waits with the whole patience (readings G16). */
  readonly isConfirming: boolean
  /** The kinds of effects that the check did not see. */
  readonly suspicions: Set<string>
  subjects: number
  readonly exchanges: Set<Exchange>
  /** The objects that the check created, in their order. */
  readonly made: CreatedObject[]
  /** The test data of the check. */
  readonly given: Set<unknown>
}

/** How a check is judged: by itself and for the first time unless stated. */
export type Manner = Partial<Pick<Trace, 'turn' | 'isConfirming' | 'endpoint'>>

/** The trace of a check that begins. */
export function newTrace(check: string, manner: Manner = {}): Trace {
  return {
    check,
    turn: onlyTurn,
    isConfirming: false,
    ...manner,
    suspicions: new Set(),
    subjects: 0,
    exchanges: new Set(),
    made: [],
    given: new Set(),
  }
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
export async function undoAll(made: CreatedObject[], leftBehind: string[]) {
  for (const { what, undo } of made.splice(0).reverse()) {
    try {
      await undo()
      leftBehind.splice(leftBehind.lastIndexOf(what), 1)
    } catch {
      // The name stays for the report.
    }
  }
}
