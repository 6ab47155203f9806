import { isAcross } from '../suite/check.ts'
import type { CrossVersionRecord, Report, Verdict } from './record.ts'
import type { PlacedCheck } from './selection.ts'
import { countOutcomes, verdictOf } from './verdict.ts'

/** A selection in two: what each version is judged by, and what is judged once across them (only where a run has both). */
export function splitSelection(selection: readonly PlacedCheck[], versions: readonly string[]) {
  const across = versions.length > 1 ? selection.filter(({ check }) => isAcross(check)) : []
  return { perVersion: selection.filter(({ check }) => !isAcross(check)), across }
}

/** What `run.json` says of a run with a single version. */
export const noCrossVersion: CrossVersionRecord = { checks: [], differences: [], observations: [], exchanges: [] }

/** The part of the run's verdict that the checks across versions decide; none where nothing was judged. */
export function crossVerdict({ checks }: CrossVersionRecord, strict: boolean): Verdict | undefined {
  const totals = countOutcomes(checks)
  const verdict = verdictOf(totals, strict)
  return verdict === 'inconclusive' && totals.errored === 0 ? undefined : verdict
}

/** The cross-version part of `run.json`, from the report of its lane. */
export function crossVersionOf({ checks, observations, exchanges }: Report, differences: CrossVersionRecord['differences']) {
  return { checks, differences, observations, exchanges } satisfies CrossVersionRecord
}
