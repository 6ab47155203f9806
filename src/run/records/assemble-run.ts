import type { ReachableConfig } from '../../config/config.ts'
import { judgeGate } from '../../gate/gate.ts'
import { assessWaivers } from '../../gate/waivers.ts'
import { suiteIdentity } from '../../package/root.ts'
import type { CheckRecord, ShownChange } from '../../record/check-record.ts'
import type { PreflightRecord } from '../../record/preflight-record.ts'
import { newestReport } from '../../record/report-lanes.ts'
import type {
  CrossVersionRecord,
  Difference,
  Report,
  RunRecord,
  SelectionRecord,
  ShardRecord,
} from '../../record/run-record.ts'
import { verdictOfLanes } from '../../record/verdict.ts'
import { type ApiVersion, apiVersions, firstVersion, latestVersion } from '../../spec/versions.ts'
import { defined } from '../../text/data.ts'

/** The parts of the record of a run. */
interface RunParts extends Pick<RunRecord, 'crossVersion' | 'leftBehind' | 'seed' | 'interrupted'> {
  /** The suspicions were not confirmed. */
  readonly provisional?: true | undefined
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
  const {
    config,
    reports,
    crossVersion,
    leftBehind,
    seed,
    interrupted,
    preflight,
    selection,
    shard,
    provisional,
    today,
  } = parts
  const { gate, target } = config
  const newest = newestReport(reports)
  // Waivers find the checks across versions in a report of the newest version.
  const across =
    newest && crossVersion.checks.length > 0 ? [{ ...newest, checks: crossVersion.checks }] : []
  const waivers = assessWaivers(config.waivers, [...reports, ...across], today)
  return {
    format: 'service-conformance-run',
    formatVersion: 1,
    suite: judgingSuite(config.requirements),
    target: {
      baseUrl: target.baseUrl,
      ...defined({ name: target.name, version: target.version }),
    },
    ...defined({ preflight }),
    versions: reports.map(({ apiVersion, verdict, totals, coverage }) => {
      return { apiVersion, verdict, totals, coverage, report: `${apiVersion}/report.json` }
    }),
    verdict: verdictOfLanes([...reports, crossVersion], gate),
    crossVersion,
    waivers,
    gate: judgeGate({ gate, reports, crossVersion, waivers, ...defined({ provisional }) }),
    seed,
    leftBehind: [...new Set(leftBehind)],
    interrupted,
    ...defined({ selection, shard, provisional }),
  }
}

/** The suite that judged, with the release of the requirements if the run named one. */
export function judgingSuite(release: string | undefined): RunRecord['suite'] {
  return { ...suiteIdentity, ...(release === undefined ? {} : { requirements: release }) }
}

/** The cross-version part of `run.json`: from the report of its lane, the observed differences, and the reports of the versions. */
export function crossVersionOf(
  across: Report,
  observed: readonly Difference[],
  reports: readonly Report[],
): CrossVersionRecord {
  const { checks, observations, exchanges, requests, durationMs } = across
  const checksOf = (version: ApiVersion) =>
    reports.find(({ apiVersion }) => apiVersion === version)?.checks ?? []
  const ignoresVersion = ignoredVersion(checks)
  // A target that ignores the version header has no confirmed differences.
  const declared =
    ignoresVersion === undefined
      ? confirmedDifferences(checksOf(firstVersion), [...checksOf(latestVersion), ...checks])
      : []
  // The same difference of one address is listed once. Differences without a change come first.
  const byKey = new Map(
    [...observed, ...declared].map((difference) => [keyOf(difference), difference]),
  )
  const differences = [...byKey]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, difference]) => difference)
  return {
    checks,
    differences,
    observations,
    exchanges,
    requests,
    durationMs,
    ...defined({ ignoresVersion }),
  }
}

/** The differences that checks declare and confirm: all checks of a difference passed, under the older and under the newer version. */
function confirmedDifferences(
  older: readonly CheckRecord[],
  newer: readonly CheckRecord[],
): Difference[] {
  const declared = new Map(
    [...older, ...newer].flatMap(({ shows }) => (shows ? [[keyOf(shows), shows]] : [])),
  )
  return [...declared.values()]
    .filter((change) => [older, newer].every((records) => allPassed(records, change)))
    .map((change) => ({ ...change, documented: true }))
}

/** True when every record that declares the difference is a pass; checks that do not apply to the version do not count. */
function allPassed(records: readonly CheckRecord[], change: ShownChange) {
  const declaring = records.filter(
    ({ shows, outcome }) => shows && keyOf(shows) === keyOf(change) && outcome !== 'inapplicable',
  )
  return declaring.length > 0 && declaring.every(({ outcome }) => outcome === 'passed')
}

function keyOf({ change = 0, endpoint, at }: Pick<Difference, 'change' | 'endpoint' | 'at'>) {
  return `${String(change).padStart(2, '0')} ${endpoint} ${at}`
}

/** The version whose responses a target returns for any requested one, as the check of the header found it. Undefined if the header has an effect. */
function ignoredVersion(checks: readonly CheckRecord[]): CrossVersionRecord['ignoresVersion'] {
  const check = checks.find(
    ({ detectsIgnoredVersion, outcome }) => detectsIgnoredVersion && outcome === 'failed',
  )
  if (!check) return undefined
  const served = check.deviation?.difference?.is
  return defined({ serves: apiVersions.find((version) => version === served) })
}
