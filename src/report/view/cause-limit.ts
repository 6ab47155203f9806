import type { CheckRecord } from '../../record/check-record.ts'
import type { ProgressEvent } from '../../record/progress-event.ts'
import type { Outcome } from '../../record/reason.ts'
import type { GateLimits } from '../../record/run-record.ts'
import { groupedByCause } from './findings.ts'

/** A limit of causes. */
interface CauseLimit {
  /** Aborted once the run has found enough causes. */
  readonly signal: AbortSignal
  /** Notes an event of the run. True for the check that reaches the limit. */
  readonly note: (event: ProgressEvent) => boolean
}

/** Counts the causes of red while a run finds them. A suspected failure counts as soon as it is found. */
export function causeLimit(most: number, { strict }: Pick<GateLimits, 'strict'>): CauseLimit {
  const red: ReadonlySet<Outcome> = new Set(strict ? ['failed', 'warned'] : ['failed'])
  /** The failed checks by their id. */
  const failed = new Map<string, CheckRecord>()
  const enough = new AbortController()

  function note(event: ProgressEvent) {
    if (event.type !== 'check' || !red.has(event.record.outcome) || enough.signal.aborted)
      return false
    failed.set(event.record.id, event.record)
    const count = () => groupedByCause([...failed.values()], (check) => ({ check })).length
    const isReached = failed.size >= most && count() >= most
    if (isReached) enough.abort()
    return isReached
  }

  return { signal: enough.signal, note }
}
