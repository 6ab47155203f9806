import { type ReportLane, type RunRecords, reportLanes } from '../../record/report-lanes.ts'
import type { RunRecord } from '../../record/run-record.ts'
import { renderHtml } from '../html/page.ts'
import { renderBadge, renderShield } from './badge.ts'
import { renderCtrf } from './ctrf.ts'
import type { FormatName } from './format-names.ts'
import { recordJson } from './json.ts'
import { renderJunit } from './junit.ts'
import { renderMarkdown } from './markdown.ts'
import { renderSarif } from './sarif.ts'

/** A file of a format: its path below the directory of the reports, and its text. */
export interface RenderedFile {
  readonly path: string
  readonly text: string
}

const writers = {
  *json({ run, reports }) {
    yield { path: 'run.json', text: recordJson(run) }
    for (const report of reports)
      yield { path: `${report.apiVersion}/report.json`, text: recordJson(report) }
  },
  junit: perLane('junit.xml', renderJunit),
  html: (records) => [{ path: 'report.html', text: renderHtml(records) }],
  markdown: (records) => [{ path: 'summary.md', text: renderMarkdown(records) }],
  sarif: perLane('results.sarif', (lane, run) => recordJson(renderSarif(lane, run))),
  ctrf: perLane('ctrf.json', (lane) => recordJson(renderCtrf(lane))),
  badge: (records) => [
    { path: 'badge.svg', text: renderBadge(records) },
    { path: 'badge.json', text: recordJson(renderShield(records)) },
  ],
} as const satisfies Record<FormatName, (records: RunRecords) => Iterable<RenderedFile>>

/** The files of some formats, each rendered when it is read: the texts of all together may take much memory. */
export function* renderFormats(
  names: readonly FormatName[],
  records: RunRecords,
): Generator<RenderedFile> {
  for (const name of names) yield* writers[name](records)
}

function perLane(file: string, render: (lane: ReportLane, run: RunRecord) => string) {
  return function* (records: RunRecords) {
    for (const lane of reportLanes(records))
      yield { path: `${lane.folder}/${file}`, text: render(lane, records.run) }
  }
}
