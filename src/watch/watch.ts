import { type RunRecords, reportParts } from '../record/report-parts.ts'
import { compareRuns } from '../report/comparison/compare.ts'
import { comparisonText } from '../report/comparison/comparison-formats.ts'
import type { PlacedCheck } from '../run/selection/selection.ts'
import type { Trigger } from './trigger.ts'

/** The functions that judge, wait and print. */
export interface WatchPorts {
  readonly judge: (selection: readonly PlacedCheck[]) => Promise<RunRecords>
  readonly wait: () => Promise<Trigger>
  readonly print: (text: string) => void
  /** Writes the reports of a whole run; prints its conclusion the first time. */
  readonly conclude: (records: RunRecords, first: boolean) => void
}

/** Judges, waits for a trigger and judges again: first the former failures, then all checks. Prints the changes. Resolves to the last whole run. */
export async function watch(selection: readonly PlacedCheck[], ports: WatchPorts): Promise<RunRecords> {
  let before = await ports.judge(selection)
  ports.conclude(before, true)
  while (!before.run.interrupted) {
    ports.print('\nwatching: press Enter or restart the target to judge again; press Ctrl-C to stop\n')
    const trigger = await ports.wait()
    if (trigger === 'end') break
    if (trigger === 'back') ports.print('the target is available again\n')
    before = await again(selection, before, ports)
  }
  return before
}

async function again(selection: readonly PlacedCheck[], before: RunRecords, ports: WatchPorts): Promise<RunRecords> {
  const red = redChecks(before)
  const failed = selection.filter(({ check }) => red.has(check.id))
  if (failed.length > 0 && failed.length < selection.length) {
    const quick = await ports.judge(failed)
    if (quick.run.interrupted) return before
    ports.print(`failed before: ${passedChecks(quick, red)} of ${failed.length} now pass\n`)
  }
  const after = await ports.judge(selection)
  ports.conclude(after, false)
  ports.print(changesBetween(before, after))
  return after
}

function redChecks(records: RunRecords): Set<string> {
  const red = reportParts(records).flatMap(({ report }) =>
    report.checks.filter(({ outcome }) => outcome === 'failed' || outcome === 'warned'),
  )
  return new Set(red.map(({ id }) => id))
}

/** The number of those checks that passed under every version in which they apply. */
function passedChecks(records: RunRecords, ids: ReadonlySet<string>): number {
  const checks = reportParts(records).flatMap(({ report }) =>
    report.checks.filter(({ id, outcome }) => ids.has(id) && outcome !== 'inapplicable'),
  )
  const other = new Set(checks.filter(({ outcome }) => outcome !== 'passed').map(({ id }) => id))
  return new Set(checks.map(({ id }) => id).filter((id) => !other.has(id))).size
}

/** The changes from the earlier to the later run. */
function changesBetween(before: RunRecords, after: RunRecords): string {
  return comparisonText(
    compareRuns([
      { name: 'before', records: before },
      { name: 'now', records: after },
    ]),
  )
}
