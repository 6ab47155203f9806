import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Report, RunRecord } from '../run/record.ts'
import { renderJunit } from './junit.ts'

/** A report of one version as a file. */
interface Format {
  readonly file: string
  readonly render: (report: Report) => string
}

/** One writer a format; each is a pure function of the record. */
const formats: Readonly<Record<string, Format>> = {
  json: { file: 'report.json', render: (report) => `${JSON.stringify(report, null, 2)}\n` },
  junit: { file: 'junit.xml', render: renderJunit },
}

/** Writes the record of a run and the chosen formats below `directory`; `report.json` is always written, since the index refers to it. */
export function writeReports(directory: string, run: RunRecord, reports: readonly Report[], chosen: readonly string[]): void {
  mkdirSync(directory, { recursive: true })
  for (const report of reports) {
    const folder = join(directory, report.apiVersion)
    mkdirSync(folder, { recursive: true })
    for (const name of new Set(['json', ...chosen])) {
      const format = formats[name]
      if (format) writeFileSync(join(folder, format.file), format.render(report))
    }
  }
  writeFileSync(join(directory, 'run.json'), `${JSON.stringify(run, null, 2)}\n`)
}
