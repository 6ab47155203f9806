import type { ProgressEvent } from '../../record/progress-event.ts'
import type { Outcome } from '../../record/reason.ts'
import type { GateLimits } from '../../record/run-record.ts'
import { causeKey } from './findings.ts'

/** Counts the causes of red while a run finds them. A suspected failure counts as soon as it is found. */
export class CauseLimit {
  readonly #most: number
  readonly #red: ReadonlySet<Outcome>
  /** The cause of each failed check, by the id of the check. */
  readonly #causes = new Map<string, string>()
  readonly #enough = new AbortController()

  constructor(most: number, { strict }: Pick<GateLimits, 'strict'>) {
    this.#most = most
    this.#red = new Set(strict ? ['failed', 'warned'] : ['failed'])
  }

  /** Aborted once the run has found enough causes. */
  get signal(): AbortSignal {
    return this.#enough.signal
  }

  /** Notes an event of the run. True for the check that reaches the limit. */
  note(event: ProgressEvent): boolean {
    if (event.type !== 'check' || !this.#red.has(event.record.outcome) || this.signal.aborted) return false
    this.#causes.set(event.record.id, causeKey(event.record))
    const isReached = new Set(this.#causes.values()).size >= this.#most
    if (isReached) this.#enough.abort()
    return isReached
  }
}
