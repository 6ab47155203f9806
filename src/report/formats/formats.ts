import { type ReportPart, type RunRecords, reportParts } from '../../record/report-parts.ts'
import type { RunRecord } from '../../record/run-record.ts'
import { renderHtml } from '../html/page.ts'
import { renderBadge, renderShield } from './badge.ts'
import { renderCtrf } from './ctrf.ts'
import type { FormatName } from './format-names.ts'
import { json, reportJson } from './json.ts'
import { renderJunit } from './junit.ts'
import { renderMarkdown } from './markdown.ts'
import { renderSarif } from './sarif.ts'

/** A file of a format: where it stands below the report's directory, and its text. */
export interface RenderedFile {
  readonly path: string
  readonly text: string
}

/** One writer a format; each is a pure function of the records of a run. */
const writers = {
  json: ({ run, reports }) => [
    { path: 'run.json', text: json(run) },
    ...reports.map((report) => ({ path: `${report.apiVersion}/report.json`, text: reportJson(report) })),
  ],
  junit: perLane('junit.xml', renderJunit),
  html: (records) => [{ path: 'report.html', text: renderHtml(records) }],
  markdown: (records) => [{ path: 'summary.md', text: renderMarkdown(records) }],
  sarif: perLane('results.sarif', (lane, run) => json(renderSarif(lane, run))),
  ctrf: perLane('ctrf.json', (lane) => json(renderCtrf(lane))),
  badge: (records) => [
    { path: 'badge.svg', text: renderBadge(records) },
    { path: 'badge.json', text: json(renderShield(records)) },
  ],
} as const satisfies Record<FormatName, (records: RunRecords) => RenderedFile[]>

/** The files of one format. */
export function renderFormat(name: FormatName, records: RunRecords): RenderedFile[] {
  return writers[name](records)
}

function perLane(file: string, render: (lane: ReportPart, run: RunRecord) => string) {
  return (records: RunRecords) =>
    reportParts(records).map((lane) => ({ path: `${lane.folder}/${file}`, text: render(lane, records.run) }))
}
