import type { CheckRecord } from '../record/check-record.ts'
import type { GateLimits, GateRecord, WaiverRecord } from '../record/gate-record.ts'
import type { CrossVersionRecord } from '../record/run-record.ts'
import { missedLimits, openReasons, type VerdictLimits, verdictOfParts } from '../record/verdict.ts'
import type { Report, Verdict } from '../record/version-report.ts'
import { waiverFaults, waiverNotices } from './waivers.ts'

/** The input of the gate. */
export interface GateInput {
  readonly gate: GateLimits
  readonly reports: readonly Report[]
  readonly crossVersion: CrossVersionRecord
  readonly waivers: readonly WaiverRecord[]
}

/** Decides whether a deployment may go on: by the deviations that count, the limits and the state of the waivers. */
export function judgeGate({ gate, reports, crossVersion, waivers }: GateInput): GateRecord {
  const counted = reports.filter(({ apiVersion }) => gate.mustConform?.versions?.includes(apiVersion) ?? true)
  const limits = counted.flatMap((report) => missedLimits(report.totals, gate).map((text) => `${report.apiVersion}: ${text}`))
  const missed = [...limits, ...waiverFaults(waivers)]
  const verdict = verdictOfParts([
    ...counted.map(({ checks }) => [checksThatCount(checks, gate), gate] as const),
    [checksThatCount(crossVersion.checks, gate), gate] as const,
  ])
  const open = [
    ...counted.flatMap(({ apiVersion, checks }) => openSentences(apiVersion, checksThatCount(checks, gate), gate)),
    ...openSentences('across versions', checksThatCount(crossVersion.checks, gate), gate),
  ]
  return { ...gate, result: resultOf(verdict, missed), missed, open, warnings: waiverNotices(waivers, reports) }
}

function openSentences(part: string, checks: readonly CheckRecord[], limits: VerdictLimits): string[] {
  return openReasons(checks, limits).map((reason) => `${part}: ${reason}`)
}

/** The checks of the areas that must conform. */
function checksThatCount(checks: readonly CheckRecord[], { mustConform }: GateLimits): CheckRecord[] {
  return checks.filter(({ area }) => mustConform?.areas?.includes(area) ?? true)
}

function resultOf(verdict: Verdict, missed: readonly string[]): GateRecord['result'] {
  if (verdict === 'deviates' || missed.length > 0) return 'failed'
  return verdict === 'inconclusive' ? 'inconclusive' : 'passed'
}
