import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { raw } from 'hono/html'
import { type ReportLane, type RunRecords, reportLanes } from '../../record/records.ts'
import { checkList } from './checks.ts'
import { html, text } from './markup.ts'
import { overview } from './overview.ts'
import { script } from './script.ts'
import { style } from './style.ts'
import { tables } from './tables.ts'

/** `report.html`: one file that needs no network; the policy in its head forbids any request and any script but its own. */
export function renderHtml(records: RunRecords): string {
  const { run } = records
  const lanes = reportLanes(records)
  const parts = tables(run, lanes)
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}"><title>${run.verdict}: ${text(run.target.baseUrl)}</title>
<style>${raw(style)}</style></head>
<body>${overview(run, lanes)}
<nav aria-label="Parts"><a href="#checks">Checks</a>${parts.map(({ id, title }) => html` <a href="#${id}">${title}</a>`)}</nav>
<main>${checkList(lanes)}
${parts.map(({ body }) => body)}</main>
<script type="application/gzip+base64" id="exchanges">${raw(island(lanes))}</script>
<script>${raw(script)}</script></body></html>
`
  return page.toString()
}

const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'; base-uri 'none'; form-action 'none'`

/** The exchanges of each lane by id: JSON, packed so that thousands of them delay nothing before they are asked for. */
function island(lanes: readonly ReportLane[]): string {
  const all = Object.fromEntries(
    lanes.map(({ name, report }) => [name, Object.fromEntries(report.exchanges.map((exchange) => [exchange.id, exchange]))]),
  )
  const json = JSON.stringify(all, (_, value) => (typeof value === 'string' ? text(value) : value))
  return gzipSync(json).toString('base64')
}
