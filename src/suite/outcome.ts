import type { Exchange } from '../http/exchange.ts'

/** What a check came to, in the order in which reports list them. */
export const outcomes = ['passed', 'failed', 'warned', 'waived', 'untested', 'inapplicable', 'errored'] as const

export type Outcome = (typeof outcomes)[number]

/** `must`: a deviation is red. `should`: a deviation is a warning, red only under `--strict`. */
export type Level = 'must' | 'should'

/** One observed difference from a check's claim. */
export interface Finding {
  readonly expected: string
  readonly actual: string
  /** JSON pointer into the last exchange's body, in the document's words. */
  readonly pointer?: string
  /** The exchanges that show it, in the order they were made. */
  readonly exchanges: readonly Exchange[]
}

/** Thrown by a check (through the matchers) when its claim does not hold. */
export class Deviation extends Error {
  override readonly name = 'Deviation'
  readonly finding: Finding
  constructor(finding: Finding) {
    super(`expected ${finding.expected}, got ${finding.actual}`)
    this.finding = finding
  }
}

/** A need that a target did not meet, and how its operator can meet it. */
export interface MissingNeed {
  /** The catalogue name (`busy-user`), `token:<role>`, `paths.<name>` or `target.rateLimit`. */
  readonly need: string
  readonly how: string
}

/** Thrown when nothing could be judged: a need is missing, or there was nothing to examine. */
export class Untested extends Error {
  override readonly name = 'Untested'
  readonly missing: readonly MissingNeed[]
  constructor(reason: string, missing: readonly MissingNeed[] = []) {
    super(reason)
    this.missing = missing
  }
}
