import type { Requirement } from '../spec/requirements.ts'
import { newestOf } from '../spec/versions.ts'
import { noRequests } from './exchange-record.ts'
import type { Report, RunRecord, SelectionRecord } from './run-record.ts'
import { summaryOf } from './verdict.ts'

/** The records of a run: its index and the report of each version. Every format is made from them. */
export interface RunRecords {
  readonly run: RunRecord
  readonly reports: readonly Report[]
  /** The run is part of a watch, which replaces the reports. */
  readonly isWatched?: boolean | undefined
  /** The requirements that the checks could name; those of the document unless given. The files of a run do not keep them. */
  readonly requirements?: readonly Requirement[] | undefined
}

/** One list of checks in a report: a version, or the checks across versions. */
export interface ReportLane {
  /** `2026-03-10`, or `across versions`. */
  readonly name: string
  /** The folder of its files below the directory of the reports. */
  readonly folder: string
  readonly report: Report
  /** The selection of the run; undefined if all checks were judged. */
  readonly selection: SelectionRecord | undefined
  /** The suspicions of the run were not confirmed. */
  readonly provisional?: true | undefined
  /** The lane compares versions without a conclusive verdict. */
  readonly isOpen?: boolean
}

/** The report of the newest version; undefined without any report. */
export function newestReport(reports: readonly Report[]) {
  const newest = newestOf(reports.map(({ apiVersion }) => apiVersion))
  return reports.find(({ apiVersion }) => apiVersion === newest)
}

/** The lanes of a report: one for each version, and one for the checks across versions if there were any. */
export function reportLanes({ run, reports }: RunRecords) {
  const { selection, provisional } = run
  const lanes = reports.map((report) => ({
    name: report.apiVersion,
    folder: report.apiVersion,
    report,
    selection,
    provisional,
  }))
  const newest = newestReport(reports)
  const {
    checks,
    exchanges,
    observations,
    requests = noRequests,
    durationMs = 0,
  } = run.crossVersion
  if (!newest || checks.length === 0) return lanes
  const empty = { requirements: [], permissions: [], warnings: [] }
  const own = {
    checks,
    exchanges,
    observations,
    requests,
    durationMs,
    ...summaryOf(checks, run.gate),
  }
  const across = { ...newest, ...own, ...empty }
  const isOpen = reports.some(({ verdict }) => verdict === 'inconclusive')
  return [
    ...lanes,
    {
      name: 'across versions',
      folder: 'across-versions',
      report: across,
      selection,
      provisional,
      isOpen,
    },
  ]
}
