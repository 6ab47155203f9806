import type { CheckRecord } from '../../record/check-record.ts'
import type { RunRecords } from '../../record/report-lanes.ts'
import type { Report } from '../../record/run-record.ts'
import type { NamedRun } from '../comparison/compare.ts'
import type { Matrix } from '../comparison/matrix.ts'
import { pageWith, withoutPassed } from '../html/page.ts'

/** The data of the page. `records` are the evidence, one for each implementation. */
export interface MatrixPageData {
  readonly matrix: Matrix
  readonly records: readonly RunRecords[]
}

/** The page of a matrix: one file with the deviations of each run and their exchanges. It needs no network. */
export function renderMatrix(matrix: Matrix, runs: readonly NamedRun[]) {
  const names = matrix.implementations.map(({ name }) => name).join(', ')
  const data: MatrixPageData = { matrix, records: runs.map(({ records }) => evidenceIn(records)) }
  return pageWith({ name: 'matrix', style: 'matrix', title: `Comparison of ${names}`, data })
}

/** The records with the evidence of cells alone. */
function evidenceIn({ run: { preflight: _, ...run }, reports }: RunRecords) {
  const bare = { requirements: [], permissions: [], observations: [] }
  return {
    run: { ...run, crossVersion: { ...evidenceOf(run.crossVersion), differences: [] } },
    reports: reports.map((report) => ({ ...evidenceOf(report), ...bare })),
  }
}

function evidenceOf<Lane extends Pick<Report, 'checks' | 'exchanges'>>(lane: Lane) {
  const shown = lane.checks.filter(
    ({ outcome }) => outcome !== 'passed' && outcome !== 'inapplicable',
  )
  return withoutPassed({ ...lane, checks: shown.map(withoutReads) })
}

/** An untested check has a reason; the exchanges before it are in the records of its run. */
function withoutReads(check: CheckRecord) {
  return check.outcome === 'untested' ? { ...check, exchanges: [] } : check
}
