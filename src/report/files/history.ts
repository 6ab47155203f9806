import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { coverageOf } from '../../record/coverage.ts'
import type { RunRecords } from '../../record/report-parts.ts'
import { countOutcomes } from '../../record/verdict.ts'

/** Adds a line about a run to `history.jsonl` in its directory. Checks of all versions and across them count together. */
export function addToHistory(directory: string, { run, reports }: RunRecords): void {
  const checks = [...reports, run.crossVersion].flatMap((part) => part.checks)
  const { judged, applicable } = coverageOf(checks)
  const { failed, warned } = countOutcomes(checks)
  const at = reports.map(({ startedAt }) => startedAt).sort()[0] ?? ''
  const { verdict, suite, selection } = run
  const line = { at, verdict, judged, applicable, failed, warned, suite: suite.version, selection }
  appendFileSync(join(directory, 'history.jsonl'), `${JSON.stringify(line)}\n`)
}
