import { derivedDifferences } from '../../suites/versioning/derived-differences.ts'
import type { CheckRecord } from '../record/check-record.ts'
import type { Report } from '../record/report.ts'
import type { CrossVersionRecord, Difference } from '../record/run-record.ts'
import { type ApiVersion, firstVersion, latestVersion } from '../spec/versions.ts'
import { isAcross } from '../suite/check.ts'
import type { PlacedCheck } from './selection.ts'

/** The check that fails when the version header has no effect. */
const selectsVersion = 'versioning.header.selects-version'

/** A selection in two: what each version is judged by, and what is judged once across them (only where a run has both). */
export function splitSelection(selection: readonly PlacedCheck[], versions: readonly string[]) {
  const across = versions.length > 1 ? selection.filter(({ check }) => isAcross(check)) : []
  return { perVersion: selection.filter(({ check }) => !isAcross(check)), across }
}

/** What `run.json` says of a run with a single version. */
export const noCrossVersion: CrossVersionRecord = { checks: [], differences: [], observations: [], exchanges: [] }

/** The cross-version part of `run.json`: from the report of its lane, what was noted there, and the reports of the versions. */
export function crossVersionOf(across: Report, noted: readonly Difference[], reports: readonly Report[]): CrossVersionRecord {
  const { checks, observations, exchanges, requests, durationMs } = across
  const checksOf = (version: ApiVersion) => reports.find(({ apiVersion }) => apiVersion === version)?.checks ?? []
  const derived = derivedDifferences(checksOf(firstVersion), [...checksOf(latestVersion), ...checks])
  const sentence = ignoringSentence(checks)
  const record = { checks, differences: inOrder([...noted, ...derived]), observations, exchanges, requests, durationMs }
  return sentence === undefined ? record : { ...record, ignoresVersion: sentence }
}

/** By change, then by endpoint; what no change names stands first. The same difference of one address is listed once. */
function inOrder(differences: readonly Difference[]): Difference[] {
  const key = ({ change = 0, endpoint, at }: Difference) => `${String(change).padStart(2, '0')} ${endpoint} ${at}`
  const byKey = new Map(differences.map((difference) => [key(difference), difference]))
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, difference]) => difference)
}

/** One sentence for the head of every report, when the version header has no effect; its consequences follow it. */
function ignoringSentence(checks: readonly CheckRecord[]): string | undefined {
  const check = checks.find(({ id, outcome }) => id === selectsVersion && outcome === 'failed')
  if (!check?.deviation) return undefined
  return `The target ignores the version header: it answers ${check.deviation.actual}. Many of the deviations below follow from this.`
}
