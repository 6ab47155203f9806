import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { RunRecords } from '../record/records.ts'
import { type FormatName, formatNames } from './formats/format-names.ts'
import { renderFormat } from './formats/formats.ts'

/** Writes the records of a run and the chosen formats below `directory`; the JSON records are always written, since all else is made from them. */
export function writeReports(directory: string, records: RunRecords, chosen: readonly string[]): string[] {
  const names = formatNames.filter((name) => name === 'json' || chosen.includes(name))
  return writeFormats(directory, records, names)
}

/** Writes formats below `directory`; returns the paths written. */
export function writeFormats(directory: string, records: RunRecords, names: readonly FormatName[]): string[] {
  return names.flatMap((name) =>
    renderFormat(name, records).map(({ path, text }) => {
      const file = join(directory, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
      return file
    }),
  )
}
