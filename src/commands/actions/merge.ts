import { defaults } from '../../config/defaults.ts'
import { exitCode } from '../../record/verdict.ts'
import { readRun } from '../../report/files/read.ts'
import { writeReports } from '../../report/files/write.ts'
import type { FormatName } from '../../report/formats/format-names.ts'
import { renderConclusion } from '../../report/terminal/summary.ts'
import { terminalOf } from '../../report/terminal/terminal.ts'
import { mergeRuns } from '../../run/records/merge.ts'
import type { Suite } from '../../suite/check.ts'
import { UsageError } from '../../text/errors.ts'

/** The options of `merge`. */
export interface MergeOptions {
  out: string
  format?: FormatName[] | undefined
}

/** Joins the reports of shards into one; resolves to what to print and the exit code. Throws {@link UsageError}. */
export function mergeCommand(
  places: readonly string[],
  { out, format }: MergeOptions,
  suites: readonly Suite[],
): { text: string; code: number } {
  if (places.length === 0) throw new UsageError('merge takes the directories of the shards')
  const records = mergeRuns(places.map(readRun), structuredClone(defaults), suites)
  const formats = format ?? defaults.report.formats
  writeReports(out, records, formats)
  const lines = renderConclusion(records.run, records.reports, out, { ...terminalOf(process.stdout), formats })
  return { text: `${lines.join('\n')}\n`, code: exitCode(records.run) }
}
