import { readRun } from '../../report/files/read.ts'
import { writeFormats } from '../../report/files/write.ts'
import { type FormatName, formatNames } from '../../report/formats/format-names.ts'

/** The options of `report`. */
export interface ReportOptions {
  format?: FormatName[] | undefined
  out?: string | undefined
}

/** Writes an existing run in other formats; all but its records unless chosen. Returns the names of the files. */
export function reportCommand(directory: string, { format, out }: ReportOptions): string {
  const records = readRun(directory)
  const names = format ?? formatNames.filter((name) => name !== 'json')
  return writeFormats(out ?? directory, records, names)
    .map((file) => `${file}\n`)
    .join('')
}
