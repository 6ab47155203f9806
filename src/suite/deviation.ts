import type { Exchange } from '../http/exchange/exchange.ts'
import type { FailingItems } from './failing-items.ts'

/** One observed difference from a check's claim. */
export interface Finding {
  readonly expected: string
  readonly actual: string
  /** JSON pointer into the last exchange's body, in the document's words. */
  readonly pointer?: string
  /** The items of a list that break the claim. */
  readonly items?: FailingItems
  /** The evidence, in the order of the requests. */
  readonly exchanges: readonly Exchange[]
}

/** Thrown by a check (through the matchers) when its claim is false. */
export class Deviation extends Error {
  override readonly name = 'Deviation'
  readonly finding: Finding
  constructor(finding: Finding) {
    super(`expected ${finding.expected}, got ${finding.actual}`)
    this.finding = finding
  }
}
