import { coverageOf, sumCoverage } from './coverage.ts'
import type { RunRecord } from './run-record.ts'
import type { Report, Verdict } from './version-report.ts'

/** One line of `history.jsonl`: what a run came to. */
export interface HistoryLine {
  /** When the run began: an ISO 8601 time in UTC. */
  at: string
  verdict: Verdict
  judged: number
  applicable: number
  failed: number
  warned: number
  /** The version of the suite. */
  suite: string
}

/** The line of a run; checks of all versions and across them count together. */
export function historyLineOf({ run, reports }: { readonly run: RunRecord; readonly reports: readonly Report[] }): HistoryLine {
  const lists = [...reports, run.crossVersion].map(({ checks }) => checks)
  const { judged, applicable } = sumCoverage(lists.map(coverageOf))
  const count = (wanted: string) => lists.flat().filter(({ outcome }) => outcome === wanted).length
  const at = reports.map(({ startedAt }) => startedAt).sort()[0] ?? ''
  return {
    at,
    verdict: run.verdict,
    judged,
    applicable,
    failed: count('failed'),
    warned: count('warned'),
    suite: run.suite.version,
  }
}
