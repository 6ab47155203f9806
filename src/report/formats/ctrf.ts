import type { CheckRecord } from '../../record/check-record.ts'
import { coverageOf, coverageText } from '../../record/coverage.ts'
import type { Outcome } from '../../record/outcome.ts'
import type { ReportPart } from '../../record/report-parts.ts'
import { failureBlock } from '../view/failure-block.ts'

type Status = 'passed' | 'failed' | 'skipped' | 'pending' | 'other'

const statuses: Readonly<Record<Outcome, Status>> = {
  passed: 'passed',
  failed: 'failed',
  warned: 'other',
  waived: 'skipped',
  untested: 'pending',
  inapplicable: 'skipped',
  errored: 'other',
}

/** `ctrf.json`: the Common Test Report Format; `rawStatus` keeps the outcome. */
export function renderCtrf({ name, report }: ReportPart) {
  const start = Date.parse(report.startedAt)
  const coverage = coverageOf(report.checks)
  const tests = report.checks.map((check) => testOf(check, name, report))
  const count = (status: Status) => tests.filter((test) => test.status === status).length
  return {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    generatedBy: `${report.suite.name} ${report.suite.version}`,
    results: {
      tool: { name: report.suite.name, version: report.suite.version },
      summary: {
        tests: tests.length,
        passed: count('passed'),
        failed: count('failed'),
        pending: count('pending'),
        skipped: count('skipped'),
        other: count('other'),
        start,
        stop: start + report.durationMs,
      },
      tests,
      environment: {
        appName: report.target.baseUrl,
        extra: { apiVersion: report.apiVersion, verdict: report.verdict, judged: coverageText(coverage), coverage },
      },
    },
  }
}

function testOf(check: CheckRecord, lane: string, report: ReportPart['report']) {
  const shown = check.outcome === 'failed' || check.outcome === 'warned' || check.outcome === 'waived'
  return {
    name: `${check.id}: ${check.title}`,
    status: statuses[check.outcome],
    duration: check.durationMs,
    suite: [lane, check.area, check.endpoint],
    rawStatus: check.outcome,
    tags: [check.level, ...check.requirements],
    type: 'conformance',
    ...(check.flaky ? { flaky: true } : {}),
    ...(check.detail === '' ? {} : { message: check.detail }),
    ...(shown ? { trace: failureBlock(check, report).join('\n') } : {}),
    extra: { id: check.id, section: check.section, subjects: check.subjects, missing: check.missing },
  }
}
