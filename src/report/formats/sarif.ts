import type { CheckRecord } from '../../record/check-record.ts'
import type { ExchangeRecord } from '../../record/exchange-record.ts'
import type { ReportLane } from '../../record/report-lanes.ts'
import type { RunRecord } from '../../record/run-record.ts'
import { coverageOf, verdictText } from '../../record/verdict.ts'
import { groupBy } from '../../text/data.ts'
import { findingsOf, lastExchange } from '../view/findings.ts'
import { recordJson } from './json.ts'

const schema =
  'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'

/** `results.sarif` (2.1.0): one result for each deviation; those with a waiver are suppressed, with its reason. */
export function renderSarif(lane: ReportLane, run: RunRecord) {
  const { name, folder, report, selection } = lane
  const checks = findingsOf([lane]).map(({ latest }) => latest.check)
  // The exchanges follow the checks in the record, so that they move no line of a check.
  const place =
    name === report.apiVersion
      ? placesIn(`${folder}/report.json`, { ...report, exchanges: [] })
      : placesIn('run.json', run)
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
          verdict: verdictText(report.verdict, coverageOf(report.checks), lane),
          ...(selection ? { selection } : {}),
          target: report.target.baseUrl,
        },
        results: checks.map((check, ruleIndex) => resultOf(check, ruleIndex, lane, place)),
      },
    ],
  }
}

function ruleOf(check: CheckRecord) {
  return {
    id: check.id,
    shortDescription: { text: `${check.endpoint} ${check.title}` },
    fullDescription: {
      text: `${check.endpoint} ${check.title} (${check.section}; ${check.requirements.join(', ')})`,
    },
    defaultConfiguration: { level: check.level === 'must' ? 'error' : 'warning' },
    properties: {
      tags: ['conformance', check.area, check.level],
      requirements: check.requirements,
      section: check.section,
    },
  }
}

/** Finds each check in the text of a record, so that a viewer opens the check and not the whole file. */
function placesIn(uri: string, record: object) {
  const lines = recordJson(record).split('\n')
  const startOf = ({ id }: CheckRecord) =>
    lines.findIndex((line) => line.includes(`"id":${JSON.stringify(id)},`))
  return (check: CheckRecord) => ({
    artifactLocation: { uri },
    region: { startLine: startOf(check) + 1 },
  })
}

function resultOf(
  check: CheckRecord,
  ruleIndex: number,
  { folder, report }: ReportLane,
  place: ReturnType<typeof placesIn>,
) {
  const last = lastExchange(check, report)
  const suppressions = [{ kind: 'external', status: 'accepted', justification: check.detail }]
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
    ...(check.outcome === 'waived' ? { suppressions } : {}),
    ...(last ? web(last) : {}),
    properties: { outcome: check.outcome, ...(check.deviation ?? {}) },
  }
}

function web({ request, response }: ExchangeRecord) {
  return {
    webRequest: { ...webMessage(request), target: request.url, method: request.method },
    webResponse: { ...webMessage(response), statusCode: response.status },
  }
}

function webMessage({ headers = [], body }: Pick<ExchangeRecord['response'], 'headers' | 'body'>) {
  const byName = [...groupBy(headers, ([name]) => name)]
  return {
    protocol: 'HTTP',
    version: '1.1',
    headers: Object.fromEntries(
      byName.map(([name, lines]) => [name, lines.map(([, value]) => value).join(', ')]),
    ),
    ...(body === undefined ? {} : { body: { text: body } }),
  }
}
