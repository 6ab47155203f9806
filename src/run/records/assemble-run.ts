import type { ReachableConfig } from '../../config/config.ts'
import { judgeGate } from '../../gate/gate.ts'
import { assessWaivers } from '../../gate/waivers.ts'
import { suiteIdentity } from '../../package/root.ts'
import type { PreflightRecord } from '../../record/preflight-record.ts'
import { newestReport } from '../../record/report-parts.ts'
import type { Report, RunRecord, SelectionRecord, ShardRecord } from '../../record/run-record.ts'
import { verdictOfParts } from '../../record/verdict.ts'
import { defined } from '../../text/data.ts'

/** The parts of the record of a run. */
interface RunParts extends Pick<RunRecord, 'crossVersion' | 'leftBehind' | 'seed' | 'interrupted'> {
  readonly config: ReachableConfig
  readonly reports: readonly Report[]
  readonly preflight?: PreflightRecord | undefined
  readonly selection?: SelectionRecord | undefined
  readonly shard?: ShardRecord | undefined
  /** The date with which the expiry of waivers is compared: `2026-11-20`. */
  readonly today: string
}

/** `run.json`: the index of a run, with its verdict and the result of the gate. */
export function assembleRun(parts: RunParts): RunRecord {
  const { config, reports, crossVersion, leftBehind, seed, interrupted, preflight, selection, shard, today } = parts
  const { gate } = config
  const newest = newestReport(reports)
  // Waivers find the checks across versions in a report of the newest version.
  const across = newest && crossVersion.checks.length > 0 ? [{ ...newest, checks: crossVersion.checks }] : []
  const waivers = assessWaivers(config.waivers, [...reports, ...across], today)
  return {
    format: 'service-conformance-run',
    formatVersion: 1,
    suite: judgingSuite(config.requirements),
    target: { baseUrl: config.target.baseUrl },
    ...defined({ preflight }),
    versions: reports.map(({ apiVersion, verdict, totals, coverage }) => {
      return { apiVersion, verdict, totals, coverage, report: `${apiVersion}/report.json` }
    }),
    verdict: verdictOfParts([...reports, crossVersion], gate),
    crossVersion,
    waivers,
    gate: judgeGate({ gate, reports, crossVersion, waivers }),
    seed,
    leftBehind: [...new Set(leftBehind)],
    interrupted,
    ...defined({ selection, shard }),
  }
}

/** The suite that judged, with the release of the requirements if the run named one. */
export function judgingSuite(release: string | undefined): RunRecord['suite'] {
  return { ...suiteIdentity, ...(release === undefined ? {} : { requirements: release }) }
}
