import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { tryConnect } from '../http/transport/connection/reach.ts'
import { systemClock } from '../http/transport/time/clock.ts'
import type { CheckRecord } from '../record/check-record.ts'
import type { Outcome } from '../record/reason.ts'
import { type RunRecords, reportLanes } from '../record/report-lanes.ts'
import { compareRuns } from '../report/comparison/compare.ts'
import { comparisonText } from '../report/comparison/comparison-formats.ts'
import type { PlacedCheck } from '../run/selection/selection.ts'
import { printable } from '../text/format.ts'

/** The event that repeats the run, or the end of the watch. */
export type Trigger = 'enter' | 'back' | 'end'

/** The functions that judge, wait and print. */
export interface WatchPorts {
  readonly judge: (selection: readonly PlacedCheck[]) => Promise<RunRecords>
  readonly wait: () => Promise<Trigger>
  readonly print: (text: string) => void
  /** Writes the reports of a whole run; prints its conclusion the first time. */
  readonly conclude: (records: RunRecords, first: boolean) => void
}

/** Judges, waits for a trigger and judges again: first the former failures, then all checks. Prints the changes. Resolves to the last whole run. */
export async function watch(selection: readonly PlacedCheck[], ports: WatchPorts) {
  let before = await ports.judge(selection)
  ports.conclude(before, true)
  while (!before.run.interrupted) {
    ports.print(
      '\nwatching: press Enter or restart the target to judge again; press Ctrl-C to stop\n',
    )
    const trigger = await ports.wait()
    if (trigger === 'end') break
    if (trigger === 'back') ports.print('the target is available again\n')
    before = await again(selection, before, ports)
  }
  return before
}

async function again(selection: readonly PlacedCheck[], before: RunRecords, ports: WatchPorts) {
  const red = idsWith(before, (outcome) => outcome === 'failed' || outcome === 'warned')
  const failed = selection.filter(({ check }) => red.has(check.id))
  if (failed.length > 0 && failed.length < selection.length) {
    const quick = await ports.judge(failed)
    if (quick.run.interrupted) return before
    const passed = idsWith(quick, (outcome) => outcome === 'passed')
    const others = idsWith(quick, (outcome) => outcome !== 'passed' && outcome !== 'inapplicable')
    const mended = [...red].filter((id) => passed.has(id) && !others.has(id))
    ports.print(`failed before: ${mended.length} of ${failed.length} now pass\n`)
    const open = reportLanes(quick)
      .flatMap(({ report }) => report.checks)
      .filter(({ id, outcome }) => red.has(id) && outcome === 'untested')
    for (const { id, detail } of open)
      ports.print(`${id} is no longer failing, now untested because ${printable(detail)}\n`)
  }
  const after = await ports.judge(selection)
  ports.conclude(after, false)
  const runs = Object.entries({ before, now: after }).map(([name, records]) => ({ name, records }))
  ports.print(comparisonText(compareRuns(runs)))
  return after
}

/** The ids of the checks with one of some outcomes, in any lane. */
export function idsWith(
  records: RunRecords,
  accepts: (outcome: Outcome, check: CheckRecord) => boolean,
) {
  const checks = reportLanes(records).flatMap(({ report }) => report.checks)
  return new Set(checks.filter((check) => accepts(check.outcome, check)).map(({ id }) => id))
}

/** Waits for a line or the end of the input, or for a stopped target to start again. It looks every `every` milliseconds. */
export async function nextTrigger(input: Readable, baseUrl: string, every = 1000) {
  if (input.readableEnded) return 'end'
  const found = new AbortController()
  const until = { signal: found.signal }
  const events = [
    once(input, 'data', until).then(() => 'enter' as const),
    once(input, 'end', until).then(() => 'end' as const),
    once(process, 'SIGINT', until).then(() => 'end' as const),
    untilBack(baseUrl, every, found.signal).then(() => 'back' as const),
  ]
  input.resume()
  return Promise.race(events).finally(() => {
    input.pause()
    found.abort()
  })
}

/** Resolves when a target that stopped accepts connections again. Rejects when the signal is aborted. */
async function untilBack(baseUrl: string, every: number, signal: AbortSignal) {
  let isGone = false
  for (;;) {
    await systemClock.sleep(every, signal)
    const listens = (await tryConnect(baseUrl, 2000)) === undefined
    if (isGone && listens) return
    isGone ||= !listens
  }
}
