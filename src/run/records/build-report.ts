import type { CheckRecord, MatrixCell } from '../../record/check-record.ts'
import { noRequests } from '../../record/exchange-record.ts'
import type { PermissionCell, Report } from '../../record/run-record.ts'
import { summaryOf, type VerdictLimits } from '../../record/verdict.ts'
import type { Check } from '../../suite/check.ts'
import { remembered } from '../../text/data.ts'
import type { LaneOutcome } from '../engine/lane-outcome.ts'
import { factsOf } from '../judge/judge.ts'
import type { PlacedCheck } from '../selection/selection.ts'
import { judgingSuite } from './assemble-run.ts'

/** The facts of a report beside the outcome of its lane. */
interface ReportFrame
  extends Pick<Report, 'apiVersion' | 'startedAt' | 'durationMs' | 'seed' | 'interrupted'> {
  readonly baseUrl: string
  readonly limits: VerdictLimits
  /** The run found enough causes, so that no further check began. */
  readonly isEnough?: boolean | undefined
  /** The release of the judged requirements, if the run named one. */
  readonly requirements?: string | undefined
}

/** The report of one version. Every expected check has an entry, also when the engine lost its record. */
export function buildReport(
  expected: readonly PlacedCheck[],
  outcome: LaneOutcome,
  frame: ReportFrame,
): Report {
  const lost = lossOf(outcome, frame)
  const checks = expected.map(
    (placed) => outcome.records.get(placed.check.id) ?? lostRecord(placed, lost, frame),
  )
  const definitions = expected.map(({ check }) => check)
  const { result } = outcome
  return renumberExchanges({
    format: 'service-conformance-report',
    formatVersion: 1,
    suite: judgingSuite(frame.requirements),
    apiVersion: frame.apiVersion,
    target: { baseUrl: frame.baseUrl },
    startedAt: frame.startedAt,
    durationMs: frame.durationMs,
    ...summaryOf(checks, frame.limits),
    requests: result?.requests ?? noRequests,
    checks,
    requirements: [],
    permissions: permissionCells(definitions, checks),
    observations: result?.observations ?? [],
    exchanges: result?.exchanges ?? [],
    seed: frame.seed,
    warnings: result?.warnings ?? [],
    leftBehind: [...outcome.leftBehind],
    interrupted: frame.interrupted,
  })
}

/** Numbers the exchanges in the order of the checks, so that runs are comparable, and drops the exchanges of no check. */
function renumberExchanges(report: Report): Report {
  const ids = new Map<string, string>()
  const rename = (id: string) => remembered(ids, id, () => `x${ids.size + 1}`)
  const checks = report.checks.map((check) => withExchangeIds(check, rename))
  const byId = new Map(report.exchanges.map((exchange) => [exchange.id, exchange]))
  const exchanges = [...ids].flatMap(([old, id]) => {
    const exchange = byId.get(old)
    return exchange ? [{ ...exchange, id }] : []
  })
  return { ...report, checks, exchanges }
}

/** The record with other ids of its exchanges. */
export function withExchangeIds(check: CheckRecord, rename: (id: string) => string): CheckRecord {
  const renamed = <Part extends { exchanges: readonly string[] }>(part: Part) => ({
    ...part,
    exchanges: part.exchanges.map(rename),
  })
  return {
    ...renamed(check),
    ...(check.deviation ? { deviation: renamed(check.deviation) } : {}),
    ...(check.repeats ? { repeats: check.repeats.map(renamed) } : {}),
  }
}

/** Why a check has no record of its own. */
type Loss = Required<Pick<CheckRecord, 'outcome' | 'reason' | 'detail'>>

function lossOf(
  { broken, unreachable, isLate }: LaneOutcome,
  { interrupted, isEnough }: ReportFrame,
): Loss {
  const outcome = 'errored'
  if (broken !== undefined)
    return {
      outcome,
      reason: { code: unreachable ? 'unreachable' : 'engine-error' },
      detail: broken,
    }
  if (interrupted)
    return {
      outcome,
      reason: { code: 'not-begun' },
      detail: 'the run was interrupted before this check',
    }
  if (isLate) return leftOut('time-limit', 'the run has reached its time limit (limits.runMinutes)')
  if (!isEnough)
    return {
      outcome,
      reason: { code: 'engine-error' },
      detail: 'the engine returned no record of this check',
    }
  return leftOut('bail', 'the run had found enough causes before this check (--bail)')
}

function leftOut(by: 'bail' | 'time-limit', detail: string): Loss {
  return { outcome: 'untested', reason: { code: 'left-out', by }, detail }
}

function lostRecord(
  { check, suite }: PlacedCheck,
  loss: Loss,
  { apiVersion }: ReportFrame,
): CheckRecord {
  const outcome = check.versions?.includes(apiVersion) === false ? 'inapplicable' : loss.outcome
  const { reason, detail } = loss
  return {
    ...factsOf(check, suite),
    outcome,
    subjects: 0,
    reason,
    detail,
    missing: [],
    durationMs: 0,
    exchanges: [],
  }
}

/** The heat map of one version: a cell for each applicable check that judges a token kind, in any area. */
export function permissionCells(
  checks: readonly Pick<Check, 'id' | 'matrix'>[],
  records: readonly Pick<CheckRecord, 'id' | 'endpoint' | 'outcome'>[],
): PermissionCell[] {
  const places = new Map(checks.map(({ id, matrix }) => [id, matrix]))
  return records.flatMap(({ id, endpoint, outcome }) => {
    const matrix = places.get(id)
    if (!matrix || outcome === 'inapplicable') return []
    const { owner, category, kind, access, expects } = matrix
    return [
      { owner, category, row: endpoint, tokenKind: kind, access, cell: cellOf(expects, outcome) },
    ]
  })
}

function cellOf(
  expects: MatrixCell['expects'],
  outcome: CheckRecord['outcome'],
): PermissionCell['cell'] {
  if (outcome === 'passed') return expects
  if (outcome === 'failed' || outcome === 'warned' || outcome === 'waived')
    return expects === 'granted' ? 'too-restrictive' : 'too-permissive'
  return 'undecided'
}
