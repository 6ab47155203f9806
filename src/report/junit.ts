import type { CheckRecord, Report } from '../run/record.ts'
import { failureBlock } from './failure-block.ts'
import { groupBy } from './group.ts'
import { xml } from './xml.ts'

/** `junit.xml`: one testsuite an endpoint, one testcase a check; warnings and missing needs are skipped cases with their reason. */
export function renderJunit(report: Report): string {
  const suites = groupBy(report.checks, (check) => `${check.area} ${check.endpoint}`)
  const { failed, errored } = report.totals
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xml(`service-conformance ${report.apiVersion}`)}" tests="${report.checks.length}" failures="${failed}" errors="${errored}" time="${time(report.durationMs)}">`,
    ...[...suites].map(([name, checks]) => testSuite(name, checks, report)),
    '</testsuites>',
    '',
  ].join('\n')
}

function testSuite(name: string, checks: readonly CheckRecord[], report: Report): string {
  const count = (...outcomes: string[]) => checks.filter(({ outcome }) => outcomes.includes(outcome)).length
  const duration = checks.reduce((sum, check) => sum + check.durationMs, 0)
  return [
    `  <testsuite name="${xml(name)}" tests="${checks.length}" failures="${count('failed')}" errors="${count('errored')}" skipped="${count(...skipped)}" time="${time(duration)}" timestamp="${xml(report.startedAt.slice(0, 19))}">`,
    ...checks.map((check) => testCase(check, report)),
    '  </testsuite>',
  ].join('\n')
}

const skipped = ['untested', 'inapplicable', 'waived']

function testCase(check: CheckRecord, report: Report): string {
  const open = `    <testcase classname="${xml(`${report.apiVersion}.${check.id.split('.').slice(0, -1).join('.')}`)}" name="${xml(`${check.id}: ${check.title}`)}" time="${time(check.durationMs)}">`
  const properties = ['requirement', 'section', 'level', 'outcome'].map(
    (name) => `        <property name="${name}" value="${xml(propertyOf(check, name))}"/>`,
  )
  return [open, '      <properties>', ...properties, '      </properties>', ...resultOf(check, report), '    </testcase>'].join(
    '\n',
  )
}

function propertyOf(check: CheckRecord, name: string): string {
  if (name === 'requirement') return check.requirements.join(' ')
  return String(check[name as 'section' | 'level' | 'outcome'])
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

function time(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3)
}
