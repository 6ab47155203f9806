import { join } from 'node:path'
import type { RunRecords } from '../../record/report-parts.ts'
import { type FormatName, formatNames } from '../formats/format-names.ts'
import { renderFormat } from '../formats/formats.ts'
import { cleaned, type Leak } from './leaks.ts'
import { addFiles, replaceReports } from './placement.ts'

/**
 * Writes the records of a run and the chosen formats in place of the former reports in `directory`. The JSON records are always written.
 * Secrets are removed; returns the files that contained one.
 */
export function writeReports(directory: string, records: RunRecords, chosen: readonly string[]): readonly Leak[] {
  const names = formatNames.filter((name) => name === 'json' || chosen.includes(name))
  const files = names.flatMap((name) => renderFormat(name, records)).map(cleaned)
  const kept = files.flatMap(({ file, leak }) => (leak?.withheld ? [] : [file]))
  replaceReports(directory, kept)
  return files.flatMap(({ leak }) => (leak ? [{ ...leak, file: join(directory, leak.file) }] : []))
}

/** Adds formats to the files in `directory`. Returns the paths of the new files. */
export function writeFormats(directory: string, records: RunRecords, names: readonly FormatName[]): string[] {
  const files = names.flatMap((name) => renderFormat(name, records))
  return addFiles(directory, files)
}
