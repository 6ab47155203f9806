import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { raw } from 'hono/html'
import { type ReportPart, type RunRecords, reportParts } from '../../record/report-parts.ts'
import { indented } from '../view/indented.ts'
import { targetText } from '../view/subject.ts'
import { checkSection, judgedChecks, packedChecks } from './checks.ts'
import { deviationSection } from './deviations.ts'
import { html, text } from './markup.ts'
import { overview } from './overview.ts'
import { script } from './script.ts'
import { style } from './style.ts'
import { tables } from './tables.ts'

/** `report.html`: one file that needs no network; the policy in its head forbids any request and any script but its own. */
export function renderHtml(records: RunRecords): string {
  const { run } = records
  const lanes = reportParts(records)
  const judged = judgedChecks(lanes)
  const deviations = deviationSection(judged, lanes)
  const parts = tables(run, lanes, judged)
  const links = [
    ...(deviations === undefined ? [] : [{ id: 'deviations', title: 'Deviations' }]),
    { id: 'checks', title: 'All checks' },
    ...parts,
  ]
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}"><title>${run.verdict}: ${text(targetText(run))}</title>
<style>${raw(style)}</style></head>
<body>${overview(records, lanes)}
<nav aria-label="Parts">${links.map(({ id, title }) => html`<a href="#${id}">${title}</a> `)}</nav>
<main>${deviations ?? ''}${checkSection(judged)}
${parts.map(({ body }) => body)}</main>
<script type="application/gzip+base64" id="judged">${raw(packed(packedChecks(judged, lanes)))}</script>
<script type="application/gzip+base64" id="exchanges">${raw(packed(exchangesOf(lanes)))}</script>
<script>${raw(script)}</script></body></html>
`
  return page.toString()
}

const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'; base-uri 'none'; form-action 'none'`

/** Data as packed JSON, so that thousands of entries delay nothing before they are asked for. */
function packed(value: unknown): string {
  const json = JSON.stringify(value, (_, member) => (typeof member === 'string' ? text(member) : member))
  return gzipSync(json).toString('base64')
}

/** The exchanges of each lane by id; bodies are kept where a check did not pass, report.json has what the run kept of the others. */
function exchangesOf(lanes: readonly ReportPart[]) {
  return Object.fromEntries(
    lanes.map(({ name, report }) => {
      const telling = new Set(
        report.checks.flatMap(({ outcome, exchanges }) => (outcome === 'passed' || outcome === 'untested' ? [] : exchanges)),
      )
      const kept = report.exchanges.map((exchange) => {
        const { body, ...response } = exchange.response
        const shown = body === undefined || !telling.has(exchange.id) ? {} : { body: indented(body) }
        return { ...exchange, response: { ...response, ...shown } }
      })
      return [name, Object.fromEntries(kept.map((exchange) => [exchange.id, exchange]))]
    }),
  )
}
