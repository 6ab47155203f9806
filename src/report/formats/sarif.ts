import type { CheckRecord } from '../../record/check-record.ts'
import { coverageOf, verdictText } from '../../record/coverage.ts'
import type { ExchangeRecord } from '../../record/exchange-record.ts'
import { deviating, type ReportPart } from '../../record/report-parts.ts'
import type { RunRecord } from '../../record/run-record.ts'
import type { Report } from '../../record/version-report.ts'
import { json, reportJson } from './json.ts'

const schema = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'

/** `results.sarif` (2.1.0): one result a deviation; waived ones are suppressed, with the waiver's reason. */
export function renderSarif({ name, folder, report }: ReportPart, run: RunRecord) {
  const checks = deviating(report.checks)
  const place = placesIn(
    name === report.apiVersion
      ? { uri: `${folder}/report.json`, text: reportJson(report) }
      : { uri: 'run.json', text: json(run) },
  )
  return {
    $schema: schema,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: report.suite.name,
            semanticVersion: report.suite.version,
            rules: checks.map(ruleOf),
          },
        },
        automationDetails: { id: `${report.suite.name}/${name}/` },
        invocations: [{ executionSuccessful: !report.interrupted, startTimeUtc: report.startedAt }],
        properties: {
          apiVersion: report.apiVersion,
          verdict: verdictText(report.verdict, coverageOf(report.checks)),
          target: report.target.baseUrl,
        },
        results: checks.map((check, ruleIndex) => resultOf(check, ruleIndex, folder, report, place)),
      },
    ],
  }
}

function ruleOf(check: CheckRecord) {
  return {
    id: check.id,
    shortDescription: { text: `${check.endpoint} ${check.title}` },
    fullDescription: { text: `${check.endpoint} ${check.title} (${check.section}; ${check.requirements.join(', ')})` },
    defaultConfiguration: { level: check.level === 'must' ? 'error' : 'warning' },
    properties: { tags: ['conformance', check.area, check.level], requirements: check.requirements, section: check.section },
  }
}

/** Where a check is found: a file below the directory of the reports, and its lines there. */
type PlaceOf = (check: CheckRecord) => { artifactLocation: { uri: string }; region: { startLine: number } }

/** The place of each check in a record: the line of its id, so that a viewer opens the check and not the whole file. */
function placesIn({ uri, text }: { readonly uri: string; readonly text: string }): PlaceOf {
  const found = text
    .split('\n')
    .map((line, index): [string, number] => [/^ *(?:\{.*?)?"id": ?"([^"]+)"/.exec(line)?.[1] ?? '', index + 1])
  const lines = new Map(found.reverse())
  return ({ id }) => ({ artifactLocation: { uri }, region: { startLine: lines.get(id) ?? 1 } })
}

function resultOf(check: CheckRecord, ruleIndex: number, folder: string, report: Report, place: PlaceOf) {
  const last = report.exchanges.find(({ id }) => id === check.deviation?.exchanges.at(-1))
  return {
    ruleId: check.id,
    ruleIndex,
    level: check.outcome === 'warned' ? 'warning' : 'error',
    message: { text: check.detail },
    locations: [
      {
        physicalLocation: place(check),
        logicalLocations: [{ fullyQualifiedName: check.endpoint, kind: 'resource' }],
      },
    ],
    partialFingerprints: { 'checkAndVersion/v1': `${check.id}@${folder}` },
    ...(check.outcome === 'waived'
      ? { suppressions: [{ kind: 'external', status: 'accepted', justification: check.detail }] }
      : {}),
    ...(last ? web(last) : {}),
    properties: { outcome: check.outcome, ...(check.deviation ?? {}) },
  }
}

function web({ request, response }: ExchangeRecord) {
  return {
    webRequest: {
      protocol: 'HTTP',
      version: '1.1',
      target: request.url,
      method: request.method,
      headers: headersOf(request.headers),
      ...(request.body === undefined ? {} : { body: { text: request.body } }),
    },
    webResponse: {
      protocol: 'HTTP',
      version: '1.1',
      statusCode: response.status,
      headers: headersOf(response.headers),
      ...(response.body === undefined ? {} : { body: { text: response.body } }),
    },
  }
}

function headersOf(lines: readonly (readonly [string, string])[]): Record<string, string> {
  const headers = new Map<string, string>()
  for (const [name, value] of lines) headers.set(name, headers.has(name) ? `${headers.get(name)}, ${value}` : value)
  return Object.fromEntries(headers)
}
