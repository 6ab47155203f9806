import type { CheckRecord } from '../record/check-record.ts'
import type { GateLimits, GateRecord, WaiverRecord } from '../record/gate.ts'
import type { Report, Verdict } from '../record/report.ts'
import type { CrossVersionRecord } from '../record/run-record.ts'
import { missedLimits, verdictOfLanes } from '../record/verdict.ts'
import { waiverFaults, waiverNotices } from './waivers.ts'

/** What a gate looks at. */
export interface GateInput {
  readonly gate: GateLimits
  readonly reports: readonly Report[]
  readonly crossVersion: CrossVersionRecord
  readonly waivers: readonly WaiverRecord[]
}

/** Decides whether a deployment may go on: deviations where they count, limits, and waivers that are no longer valid. */
export function judgeGate({ gate, reports, crossVersion, waivers }: GateInput): GateRecord {
  const counted = reports.filter(({ apiVersion }) => gate.mustConform?.versions?.includes(apiVersion) ?? true)
  const limits = counted.flatMap((report) => missedLimits(report.totals, gate).map((text) => `${report.apiVersion}: ${text}`))
  const missed = [...limits, ...waiverFaults(waivers)]
  const verdict = gateVerdict(gate, [...counted.map(({ checks }) => checks), crossVersion.checks])
  return { ...gate, result: resultOf(verdict, missed), missed, warnings: waiverNotices(waivers, reports) }
}

/** The worst verdict over the areas that must conform. */
function gateVerdict(gate: GateLimits, lanes: readonly (readonly CheckRecord[])[]): Verdict {
  const areas = gate.mustConform?.areas
  return verdictOfLanes(
    lanes.map((checks) => checks.filter(({ area }) => areas?.includes(area) ?? true)),
    gate.strict,
  )
}

function resultOf(verdict: Verdict, missed: readonly string[]): GateRecord['result'] {
  if (verdict === 'deviates' || missed.length > 0) return 'failed'
  return verdict === 'inconclusive' ? 'inconclusive' : 'passed'
}
