import type { CheckRecord } from '../../record/check-record.ts'
import type { Outcome } from '../../record/reason.ts'
import type { ReportLane } from '../../record/report-lanes.ts'
import { coverageOf, coverageText, selectionText } from '../../record/verdict.ts'
import { failureBlock } from '../view/findings.ts'

const statuses = {
  passed: 'passed',
  failed: 'failed',
  warned: 'other',
  waived: 'skipped',
  untested: 'pending',
  inapplicable: 'skipped',
  errored: 'other',
} as const satisfies Record<Outcome, string>

/** `ctrf.json`: the Common Test Report Format; `rawStatus` is the outcome. */
export function renderCtrf({ name, report, selection }: ReportLane) {
  const { suite, checks, startedAt, durationMs, apiVersion, verdict, target } = report
  const tests = checks.map((check) => testOf(check, name, report))
  const count = (status: string) => tests.filter((test) => test.status === status).length
  const counts = Object.fromEntries(
    ['passed', 'failed', 'pending', 'skipped', 'other'].map((status) => [status, count(status)]),
  )
  const judged = coverageText(coverageOf(checks), selection)
  const selected = selection ? { selection: selectionText(selection) } : {}
  const start = Date.parse(startedAt)
  return {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    generatedBy: `${suite.name} ${suite.version}`,
    results: {
      tool: { name: suite.name, version: suite.version },
      summary: { tests: tests.length, ...counts, start, stop: start + durationMs },
      tests,
      environment: { appName: target.baseUrl, extra: { apiVersion, verdict, judged, ...selected } },
    },
  }
}

function testOf(check: CheckRecord, lane: string, report: ReportLane['report']) {
  return {
    name: `${check.id}: ${check.title}`,
    status: statuses[check.outcome],
    duration: check.durationMs,
    suite: [lane, check.area, check.endpoint],
    rawStatus: check.outcome,
    tags: [check.level, ...check.requirements],
    ...(check.flaky ? { flaky: true } : {}),
    ...(check.detail === '' ? {} : { message: check.detail }),
    ...(check.deviation ? { trace: failureBlock(check, report).join('\n') } : {}),
  }
}
