import type { CheckRecord } from '../../record/check-record.ts'
import { coverageOf, selectionText, verdictText } from '../../record/coverage.ts'
import type { ReportPart } from '../../record/report-parts.ts'
import type { Report } from '../../record/version-report.ts'
import { groupBy } from '../../text/data.ts'
import { failureBlock } from '../view/failure-block.ts'
import { xml } from '../view/markup.ts'

/**
 * `junit.xml`: a testsuite for each endpoint, a testcase for each check. A warning is a passed case with its evidence as output; an untested
 * check is a skipped case. Each suite has the version, the target and the verdict with its coverage as properties.
 */
export function renderJunit({ name, report, selection }: ReportPart): string {
  const suites = groupBy(report.checks, (check) => `${check.area} ${check.endpoint}`)
  const { failed, errored } = report.totals
  const properties = [
    property('version', name),
    property('target', report.target.baseUrl),
    property('verdict', verdictText(report.verdict, coverageOf(report.checks), selection)),
    ...(selection ? [property('selection', selectionText(selection))] : []),
  ]
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xml(`service-conformance ${name}`)}" tests="${report.checks.length}" failures="${failed}" errors="${errored}" time="${time(report.durationMs)}">`,
    ...[...suites].map(([title, checks]) => testSuite(title, checks, name, report, properties)),
    '</testsuites>',
    '',
  ].join('\n')
}

function testSuite(
  title: string,
  checks: readonly CheckRecord[],
  part: string,
  report: Report,
  properties: readonly string[],
): string {
  const count = (...outcomes: string[]) => checks.filter(({ outcome }) => outcomes.includes(outcome)).length
  const duration = checks.reduce((sum, check) => sum + check.durationMs, 0)
  return [
    `  <testsuite name="${xml(title)}" tests="${checks.length}" failures="${count('failed')}" errors="${count('errored')}" skipped="${count(...skipped)}" time="${time(duration)}" timestamp="${xml(report.startedAt.slice(0, 19))}">`,
    '    <properties>',
    ...properties,
    '    </properties>',
    ...checks.map((check) => testCase(check, part, report)),
    '  </testsuite>',
  ].join('\n')
}

const skipped = ['untested', 'inapplicable', 'waived']

function property(name: string, value: string): string {
  return `      <property name="${xml(name)}" value="${xml(value)}"/>`
}

function testCase(check: CheckRecord, part: string, report: Report): string {
  const group = `${part}.${check.id.split('.').slice(0, -1).join('.')}`
  const open = `    <testcase classname="${xml(group)}" name="${xml(`${check.id}: ${check.title}`)}" time="${time(check.durationMs)}"`
  const result = resultOf(check, report)
  return result.length === 0 ? `${open}/>` : [`${open}>`, ...result, '    </testcase>'].join('\n')
}

function resultOf(check: CheckRecord, report: Report): string[] {
  const message = xml(check.detail)
  if (check.outcome === 'failed') {
    return [`      <failure message="${message}" type="${check.level}">${xml(failureBlock(check, report).join('\n'))}</failure>`]
  }
  if (check.outcome === 'errored') return [`      <error message="${message}" type="errored"/>`]
  if (skipped.includes(check.outcome)) return [`      <skipped message="${xml(`${check.outcome}: ${check.detail}`)}"/>`]
  return check.outcome === 'warned' ? [`      <system-out>${xml(failureBlock(check, report).join('\n'))}</system-out>`] : []
}

/** Milliseconds as seconds. */
function time(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3)
}
