import type { CheckRecord } from '../record/check-record.ts'
import type { GateLimits, GateRecord, Report, RunRecord } from '../record/run-record.ts'
import { missedLimits, openReasons, verdictOfParts } from '../record/verdict.ts'
import { counted as count } from '../text/format.ts'
import { blockedChecks, blockedText } from './blocked.ts'
import { waiverFaults, waiverNotices } from './waivers.ts'

type GateInput = Pick<RunRecord, 'crossVersion' | 'waivers'> & { gate: GateLimits; reports: readonly Report[] }

/** Decides whether a deployment may go on: by the deviations that count, the limits and the state of the waivers. */
export function judgeGate({ gate, reports, crossVersion, waivers }: GateInput): GateRecord {
  const counted = reports.filter(({ apiVersion }) => gate.mustConform?.versions?.includes(apiVersion) ?? true)
  const limits = counted.flatMap((report) => missedLimits(report.totals, gate).map((text) => `${report.apiVersion}: ${text}`))
  const missed = [...limits, ...waiverFaults(waivers)]
  const parts = [
    ...counted.map(({ apiVersion, checks }) => [apiVersion, checks] as const),
    ['across versions', crossVersion.checks] as const,
  ]
  const isCounted = ({ area }: Pick<CheckRecord, 'area'>) => gate.mustConform?.areas?.includes(area) ?? true
  const judged = parts.map(([name, checks]) => [name, checks.filter(isCounted)] as const)
  const verdict = verdictOfParts(judged.map(([, checks]) => [checks, gate]))
  const reasons = judged.flatMap(([name, checks]) => openReasons(checks, gate).map((reason) => `${name}: ${reason}`))
  const blocked = counted.flatMap(blockedChecks).filter(isCounted)
  const texts = blocked.map(blockedText)
  if (gate.strict) reasons.push(...texts)
  const open = judged.some(([, checks]) => checks.length > 0) ? reasons : ['no selected check is one of gate.mustConform']
  const isFailed = verdict === 'deviates' || missed.length > 0
  const isOpen = verdict === 'inconclusive' || (gate.strict && blocked.length > 0)
  const result = isFailed ? 'failed' : isOpen ? 'inconclusive' : 'passed'
  const all = [...reports, crossVersion].flatMap(({ checks }) => checks)
  const decisive = new Set(judged.flatMap(([, checks]) => checks))
  const outside = all.filter((check) => check.outcome === 'failed' && !decisive.has(check)).length
  const [is, they] = outside === 1 ? ['is', 'it does'] : ['are', 'they do']
  const ignored = `${count(outside, 'deviation')} ${is} outside gate.mustConform, so ${they} not decide`
  const warnings = [...(outside > 0 ? [ignored] : []), ...waiverNotices(waivers, reports), ...(gate.strict ? [] : texts)]
  return { ...gate, result, missed, open, warnings, blocked }
}
