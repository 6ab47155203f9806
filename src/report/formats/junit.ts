import type { CheckRecord } from '../../record/check-record.ts'
import type { ReportLane } from '../../record/report-lanes.ts'
import type { Report } from '../../record/run-record.ts'
import { countOutcomes, coverageOf, selectionText, verdictText } from '../../record/verdict.ts'
import { groupBy, sumOf } from '../../text/data.ts'
import { failureBlock } from '../view/findings.ts'
import { xml } from '../view/markup.ts'

/** `junit.xml`: a testsuite for each endpoint. A warning is a passed case with output, an untested check is a skipped case. */
export function renderJunit(lane: ReportLane) {
  const { name, report, selection } = lane
  const suites = groupBy(report.checks, (check) => `${check.area} ${check.endpoint}`)
  const { failed, errored } = report.totals
  const properties = [
    property('version', name),
    property('target', report.target.baseUrl),
    property('verdict', verdictText(report.verdict, coverageOf(report.checks), lane)),
    ...(selection ? [property('selection', selectionText(selection))] : []),
  ]
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xml(`service-conformance ${name}`)}" tests="${report.checks.length}" failures="${failed}" errors="${errored}" time="${time(report.durationMs)}">`,
    ...[...suites].map(([title, checks]) => testSuite(title, checks, lane, properties)),
    '</testsuites>',
    '',
  ].join('\n')
}

function testSuite(
  title: string,
  checks: readonly CheckRecord[],
  lane: ReportLane,
  properties: readonly string[],
) {
  const { failed, errored, untested, inapplicable, waived } = countOutcomes(checks)
  const duration = sumOf(checks, (check) => check.durationMs)
  const counts = `tests="${checks.length}" failures="${failed}" errors="${errored}" skipped="${untested + inapplicable + waived}"`
  return [
    `  <testsuite name="${xml(title)}" ${counts} time="${time(duration)}" timestamp="${xml(lane.report.startedAt.slice(0, 19))}">`,
    '    <properties>',
    ...properties,
    '    </properties>',
    ...checks.map((check) => testCase(check, lane)),
    '  </testsuite>',
  ].join('\n')
}

function property(name: string, value: string) {
  return `      <property name="${xml(name)}" value="${xml(value)}"/>`
}

function testCase(check: CheckRecord, { name, report }: ReportLane) {
  const group = `${name}.${check.id.split('.').slice(0, -1).join('.')}`
  const open = `    <testcase classname="${xml(group)}" name="${xml(`${check.id}: ${check.title}`)}" time="${time(check.durationMs)}"`
  const result = resultOf(check, report)
  return result === '' ? `${open}/>` : `${open}>\n      ${result}\n    </testcase>`
}

function resultOf(check: CheckRecord, report: Report) {
  const { outcome, level, detail } = check
  const evidence = () => xml(failureBlock(check, report).join('\n'))
  if (outcome === 'passed') return ''
  if (outcome === 'failed')
    return `<failure message="${xml(detail)}" type="${level}">${evidence()}</failure>`
  if (outcome === 'errored') return `<error message="${xml(detail)}" type="errored"/>`
  if (outcome === 'warned') return `<system-out>${evidence()}</system-out>`
  return `<skipped message="${xml(`${outcome}: ${detail}`)}"/>`
}

/** Milliseconds as seconds. */
const time = (milliseconds: number) => (milliseconds / 1000).toFixed(3)
