import type { RunRecords } from '../../record/report-parts.ts'
import { type FormatName, formatNames } from '../formats/format-names.ts'
import { renderFormat } from '../formats/formats.ts'
import { placeFiles } from './directory.ts'

/**
 * Writes the records of a run and the chosen formats below `directory`, in place of what an earlier run wrote there; the JSON records
 * are always written, since all else is made from them.
 */
export function writeReports(directory: string, records: RunRecords, chosen: readonly string[]): string[] {
  const names = formatNames.filter((name) => name === 'json' || chosen.includes(name))
  const files = names.flatMap((name) => renderFormat(name, records))
  return placeFiles(directory, files, true)
}

/** Adds formats to the files below `directory`; returns the paths written. */
export function writeFormats(directory: string, records: RunRecords, names: readonly FormatName[]): string[] {
  return placeFiles(
    directory,
    names.flatMap((name) => renderFormat(name, records)),
  )
}
