import type { CheckRecord } from '../../record/check-record.ts'
import { coverageOf } from '../../record/coverage.ts'
import { countOutcomes, type VerdictLimits, verdictOf } from '../../record/verdict.ts'
import type { Report } from '../../record/version-report.ts'
import { endpointLabel } from '../../spec/endpoints.ts'
import type { ApiVersion } from '../../spec/versions.ts'
import { endpointOf } from '../../suite/check.ts'
import type { LaneOutcome } from '../engine/lane-outcome.ts'
import type { PlacedCheck } from '../selection/selection.ts'
import { judgingSuite } from './assemble-run.ts'
import { assessRequirements } from './assess-requirements.ts'
import { permissionCells } from './permission-cells.ts'

/** The facts of a report beside the outcome of its lane. */
export interface ReportFrame {
  readonly apiVersion: ApiVersion
  readonly baseUrl: string
  readonly startedAt: string
  readonly durationMs: number
  readonly limits: VerdictLimits
  readonly seed: number
  readonly interrupted: boolean
  /** The release whose requirements were judged, where the run named one. */
  readonly requirements?: string | undefined
}

/** The report of one version. Every expected check has an entry, also when the engine lost its record. */
export function buildReport(expected: readonly PlacedCheck[], outcome: LaneOutcome, frame: ReportFrame): Report {
  const lost = lossOf(outcome, frame.interrupted)
  const checks = expected.map((placed) => outcome.records.get(placed.check.id) ?? lostRecord(placed, lost))
  const result = outcome.result
  return renumberExchanges({
    format: 'service-conformance-report',
    formatVersion: 1,
    suite: judgingSuite(frame.requirements),
    apiVersion: frame.apiVersion,
    target: { baseUrl: frame.baseUrl },
    startedAt: frame.startedAt,
    durationMs: frame.durationMs,
    verdict: verdictOf(checks, frame.limits),
    totals: countOutcomes(checks),
    coverage: coverageOf(checks),
    requests: result?.requests ?? { sent: 0, shared: 0, byMethod: {}, writes: 0, bytes: 0 },
    checks,
    requirements: assessRequirements(checks, frame.apiVersion),
    permissions: permissionCells(
      expected.map(({ check }) => check),
      checks,
    ),
    observations: result?.observations ?? [],
    exchanges: result?.exchanges ?? [],
    seed: frame.seed,
    warnings: result?.warnings ?? [],
    leftBehind: [...outcome.leftBehind],
    interrupted: frame.interrupted,
  })
}

/**
 * Renumbers the exchanges in the order in which checks refer to them, so that two runs of one selection are comparable. Exchanges
 * without a reference are dropped.
 */
function renumberExchanges(report: Report): Report {
  const ids = new Map<string, string>()
  const rename = (id: string) => {
    const known = ids.get(id) ?? `x${ids.size + 1}`
    ids.set(id, known)
    return known
  }
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

/** The reason why a check has no record of its own. */
function lossOf({ broken, unreachable }: LaneOutcome, interrupted: boolean): Required<Pick<CheckRecord, 'reason' | 'detail'>> {
  if (broken !== undefined) return { reason: { code: unreachable ? 'unreachable' : 'engine-error' }, detail: broken }
  return interrupted
    ? { reason: { code: 'not-begun' }, detail: 'the run was interrupted before this check' }
    : { reason: { code: 'engine-error' }, detail: 'the engine returned no record of this check' }
}

function lostRecord({ check, suite }: PlacedCheck, loss: ReturnType<typeof lossOf>): CheckRecord {
  return {
    id: check.id,
    title: check.title,
    area: suite.area,
    endpoint: endpointLabel(endpointOf(check, suite)),
    section: endpointOf(check, suite).section,
    level: check.level,
    requirements: [check.requirement],
    outcome: 'errored',
    subjects: 0,
    ...loss,
    missing: [],
    durationMs: 0,
    exchanges: [],
  }
}
