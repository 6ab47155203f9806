import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { coverageOf } from '../../record/coverage.ts'
import type { RunRecords } from '../../record/report-parts.ts'
import { countOutcomes } from '../../record/verdict.ts'
import { formatNames } from '../formats/format-names.ts'
import { renderFormats } from '../formats/formats.ts'
import { cleaned, type Leak } from './leaks.ts'
import { replaceReports } from './placement.ts'

/** Replaces the reports in `directory` with the records and the chosen formats. Returns the files that contained a secret. */
export function writeReports(directory: string, records: RunRecords, chosen: readonly string[]): readonly Leak[] {
  const names = formatNames.filter((name) => name === 'json' || chosen.includes(name))
  const leaks = new Map<string, Leak>()
  replaceReports(directory, function* () {
    for (const rendered of renderFormats(names, records)) {
      const { file, leak } = cleaned(rendered)
      if (leak) leaks.set(leak.file, { ...leak, file: join(directory, leak.file) })
      if (!leak?.withheld) yield file
    }
  })
  return [...leaks.values()]
}

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
