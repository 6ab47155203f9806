import { join } from 'node:path'
import type { Redactor } from '../../http/redaction/redaction.ts'
import type { RunRecords } from '../../record/report-parts.ts'
import { type FormatName, formatNames } from '../formats/format-names.ts'
import { renderFormat } from '../formats/formats.ts'
import { type Leak, leaksIn } from './leaks.ts'
import { addFiles, replaceReports } from './placement.ts'

/**
 * Writes the records of a run and the chosen formats in place of the former reports in `directory`. The JSON records are always written.
 * A file that would contain a secret is left out and returned.
 */
export function writeReports(
  directory: string,
  records: RunRecords,
  chosen: readonly string[],
  redactor?: Redactor,
): readonly Leak[] {
  const names = formatNames.filter((name) => name === 'json' || chosen.includes(name))
  const files = names.flatMap((name) => renderFormat(name, records))
  const leaks = redactor ? leaksIn(files, redactor) : []
  const withheld = new Set(leaks.map(({ file }) => file))
  replaceReports(
    directory,
    files.filter(({ path }) => !withheld.has(path)),
  )
  return leaks.map(({ file, label }) => ({ file: join(directory, file), label }))
}

/** Adds formats to the files in `directory`. Returns the paths of the new files. */
export function writeFormats(directory: string, records: RunRecords, names: readonly FormatName[]): string[] {
  return addFiles(
    directory,
    names.flatMap((name) => renderFormat(name, records)),
  )
}
