import type { ReachableConfig } from '../../config/config.ts'
import type { CheckRecord, ShownChange } from '../../record/check-record.ts'
import type { LaneName } from '../../record/lane-name.ts'
import type { CrossVersionRecord, Difference, Report } from '../../record/run-record.ts'
import { type ApiVersion, firstVersion, latestVersion, newestOf } from '../../spec/versions.ts'
import { isAcross } from '../../suite/check.ts'
import { defined } from '../../text/data.ts'
import type { PlacedCheck } from './selection.ts'

/** One lane of a run. */
export interface LanePlan {
  readonly lane: LaneName
  /** The version that requests name unless they name another. */
  readonly apiVersion: ApiVersion
  /** The checks to judge, in order. */
  readonly placed: readonly PlacedCheck[]
}

/** The settings of a run. */
export interface RunPlan {
  readonly config: ReachableConfig
  /** Identifies the run towards the provider. */
  readonly run: string
  /** Seed of the property checks and of the order. */
  readonly seed: number
  readonly readOnly: boolean
  /** The most requests of each lane. */
  readonly maxRequests?: number | undefined
  /** No request is sent after this time of the clock. Milliseconds. */
  readonly deadline?: number | undefined
  readonly lanes: readonly LanePlan[]
}

/** One lane for each version, and one for the checks that compare versions. Its requests name the newest version unless they state another. */
export function lanesOf(versions: readonly ApiVersion[], selection: readonly PlacedCheck[]): LanePlan[] {
  const { perVersion, across } = splitSelection(selection, versions)
  const own = versions.map((apiVersion) => ({ lane: apiVersion, apiVersion, placed: perVersion }))
  if (across.length === 0) return own
  return [...own, { lane: 'across', apiVersion: newestOf(versions) ?? latestVersion, placed: across }]
}

/** A selection in two parts: the checks of each version, and the checks across them, which need more than one version. */
export function splitSelection(selection: readonly PlacedCheck[], versions: readonly string[]) {
  const across = versions.length > 1 ? selection.filter(({ check }) => isAcross(check)) : []
  return { perVersion: selection.filter(({ check }) => !isAcross(check)), across }
}

/** The cross-version part of `run.json`: from the report of its lane, the observed differences, and the reports of the versions. */
export function crossVersionOf(across: Report, observed: readonly Difference[], reports: readonly Report[]): CrossVersionRecord {
  const { checks, observations, exchanges, requests, durationMs } = across
  const checksOf = (version: ApiVersion) => reports.find(({ apiVersion }) => apiVersion === version)?.checks ?? []
  const sentence = ignoringSentence(checks)
  // A target that ignores the version header has no confirmed differences.
  const declared =
    sentence === undefined ? confirmedDifferences(checksOf(firstVersion), [...checksOf(latestVersion), ...checks]) : []
  // The same difference of one address is listed once. Differences without a change come first.
  const byKey = new Map([...observed, ...declared].map((difference) => [keyOf(difference), difference]))
  const differences = [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, difference]) => difference)
  return { checks, differences, observations, exchanges, requests, durationMs, ...defined({ ignoresVersion: sentence }) }
}

/** The differences that checks declare and confirm: all checks of a difference passed, under the older and under the newer version. */
function confirmedDifferences(older: readonly CheckRecord[], newer: readonly CheckRecord[]): Difference[] {
  const declared = new Map([...older, ...newer].flatMap(({ shows }) => (shows ? [[keyOf(shows), shows]] : [])))
  return [...declared.values()]
    .filter((change) => [older, newer].every((records) => allPassed(records, change)))
    .map((change) => ({ ...change, documented: true }))
}

/** True when every record that declares the difference is a pass; checks that do not apply to the version do not count. */
function allPassed(records: readonly CheckRecord[], change: ShownChange): boolean {
  const declaring = records.filter(({ shows, outcome }) => shows && keyOf(shows) === keyOf(change) && outcome !== 'inapplicable')
  return declaring.length > 0 && declaring.every(({ outcome }) => outcome === 'passed')
}

function keyOf({ change = 0, endpoint, at }: Pick<Difference, 'change' | 'endpoint' | 'at'>): string {
  return `${String(change).padStart(2, '0')} ${endpoint} ${at}`
}

/** The sentence about a target that ignores the version header, for every report; undefined for any other target. */
function ignoringSentence(checks: readonly CheckRecord[]): string | undefined {
  const check = checks.find(({ detectsIgnoredVersion, outcome }) => detectsIgnoredVersion && outcome === 'failed')
  if (!check?.deviation) return undefined
  return `The target ignores the version header: it returns ${check.deviation.actual}. Many of the deviations below follow from this.`
}
