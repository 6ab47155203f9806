import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { knownSecrets } from '../../http/redaction/redaction.ts'
import { packageRoot } from '../../package/root.ts'
import { type RunRecords, reportLanes } from '../../record/report-lanes.ts'
import type { Report } from '../../record/run-record.ts'
import { readingsOf } from '../../spec/readings.ts'
import { documentRequirements, type Requirement } from '../../spec/requirements.ts'
import { printableLines } from '../../text/format.ts'
import { findingsOf } from '../view/findings.ts'
import { xml } from '../view/markup.ts'
import { targetText } from '../view/subject.ts'

/** The data of a page, as JSON in it. `client` draws the page from it. */
export interface PageData extends Pick<RunRecords, 'isWatched'> {
  readonly records: RunRecords
  /** The statements of the document, by the id of their requirement. */
  readonly statements: Readonly<Record<string, string>>
  /** The readings of the document that decide a deviating check, by its id. */
  readonly readings: Readonly<
    Record<string, readonly { readonly id: string; readonly judged: string }[]>
  >
}

/** `report.html`: one file with its data, its style and its script. The policy in its head permits no request and no other script. */
export function renderHtml({
  run,
  reports,
  isWatched,
  requirements = documentRequirements,
}: RunRecords) {
  const title = `${run.verdict}: ${targetText(run)}`
  const records = {
    run: { ...run, crossVersion: withoutPassed(run.crossVersion) },
    reports: reports.map(withoutPassed),
  }
  const data: PageData = {
    records,
    statements: statementsOf(requirements),
    readings: readingsIn(records, requirements),
    isWatched,
  }
  return pageWith({ name: 'main', style: 'page', title, data })
}

/** The parts of a page: the names of its script and its style in `dist/page`, its title and its data. */
interface PageParts {
  readonly name: string
  readonly style: string
  readonly title: string
  readonly data: object
}

/** A page with its data, its style and its script, and with the policy of {@link renderHtml}. */
export function pageWith({ name, style: styleName, title, data }: PageParts) {
  const script = asset(`${name}.js`)
  const style = asset(`${styleName}.css`)
  const policy = `default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(script)}; base-uri 'none'; form-action 'none'`
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}"><title>${xml(title)}</title>
<style>${style}</style></head>
<body><noscript>${xml(title)}. A script draws this page, and this browser runs none. The format markdown needs no script.</noscript>
<script type="application/gzip+base64" id="data">${packed(data)}</script>
<script>${script}</script></body></html>
`
}

/** The lane without the exchanges of passed checks: the record has them. */
export function withoutPassed<Lane extends Pick<Report, 'checks' | 'exchanges'>>(lane: Lane): Lane {
  const shown = new Set(
    lane.checks.filter(({ outcome }) => outcome !== 'passed').flatMap((check) => check.exchanges),
  )
  const exchanges = lane.exchanges.filter(({ id, request }) => request.headers && shown.has(id))
  const known = new Set(exchanges.map(({ id }) => id))
  const checks = lane.checks.map((check) => ({
    ...check,
    exchanges: check.exchanges.filter((id) => known.has(id)),
  }))
  return { ...lane, checks, exchanges }
}

function statementsOf(requirements: readonly Requirement[]) {
  const note = (excluded: string | undefined) =>
    excluded === undefined ? '' : ` Excluded: ${excluded}`
  return Object.fromEntries(
    requirements.map((one) => [one.id, `${one.section}: ${one.text}${note(one.excluded)}`]),
  )
}

function readingsIn(
  records: RunRecords,
  requirements: readonly Requirement[],
): PageData['readings'] {
  const deviating = findingsOf(reportLanes(records)).map(({ latest }) => latest.check)
  return Object.fromEntries(
    deviating.map(({ id, requirements: ids }) => [
      id,
      readingsOf(id, ids, requirements).map((one) => ({ id: one.id, judged: one.judged })),
    ]),
  )
}

const asset = (name: string) => readFileSync(join(packageRoot, 'dist', 'page', name), 'utf8')

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** The data as JSON without secrets and control characters, compressed: a run has thousands of similar records. */
function packed(data: object) {
  const text = JSON.stringify(knownSecrets.redactJson(data), (_, member) =>
    typeof member === 'string' ? printableLines(member) : member,
  )
  return gzipSync(text).toString('base64')
}
