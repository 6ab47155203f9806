import { newestOf } from '../spec/versions.ts'
import type { CheckRecord } from './check-record.ts'
import { coverageOf } from './coverage.ts'
import type { HistoryLine } from './history.ts'
import type { RunRecord } from './run-record.ts'
import { countOutcomes, verdictOf } from './verdict.ts'
import type { Report } from './version-report.ts'

/** Everything that a format is made from: the index of a run and its report per version. */
export interface RunRecords {
  readonly run: RunRecord
  readonly reports: readonly Report[]
  /** What former runs and this one came to, the latest last, where the run keeps a history. */
  readonly history?: readonly HistoryLine[]
}

/** One list of checks as formats show it: a version, or what was judged once for all versions. */
export interface ReportPart {
  /** `2026-03-10`, or `across versions`. */
  readonly name: string
  /** The folder of its files below the report's directory. */
  readonly folder: string
  readonly report: Report
}

/** The report of the newest version; undefined where there is no report. */
export function newestReport(reports: readonly Report[]): Report | undefined {
  const newest = newestOf(reports.map(({ apiVersion }) => apiVersion))
  return reports.find(({ apiVersion }) => apiVersion === newest)
}

/** The lanes of a run: one a version, and one across versions where anything was judged there. */
export function reportParts({ run, reports }: RunRecords): ReportPart[] {
  const lanes = reports.map((report) => ({ name: report.apiVersion as string, folder: report.apiVersion as string, report }))
  const newest = newestReport(reports)
  const { checks, exchanges, observations, requests = noRequests, durationMs = 0 } = run.crossVersion
  if (!newest || checks.length === 0) return lanes
  const totals = countOutcomes(checks)
  const verdict = verdictOf(checks, run.gate)
  const across = {
    ...newest,
    checks,
    exchanges,
    observations,
    requests,
    durationMs,
    totals,
    coverage: coverageOf(checks),
    verdict,
    requirements: [],
    permissions: [],
    warnings: [],
  }
  return [...lanes, { name: 'across versions', folder: 'across-versions', report: across }]
}

const noRequests: Report['requests'] = { sent: 0, shared: 0, byMethod: {}, writes: 0, bytes: 0 }

/** The checks that a reader looks at first: failed, then warned, then waived. */
export function deviating(checks: readonly CheckRecord[]): CheckRecord[] {
  return (['failed', 'warned', 'waived'] as const).flatMap((outcome) => checks.filter((check) => check.outcome === outcome))
}
