import type { RunRecords } from '../record/report-parts.ts'
import type { FormatName } from '../report/formats/format-names.ts'
import type { RenderedFile } from '../report/formats/formats.ts'

/**
 * Renders the records of a run in one format and returns the files, each with its path below the directory of the report.
 * A pure function of the records: the same records give the same bytes.
 */
export async function renderReport(records: RunRecords, format: FormatName): Promise<readonly RenderedFile[]> {
  const { renderFormat } = await import('../report/formats/formats.ts')
  return renderFormat(format, records)
}
