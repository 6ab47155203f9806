import type { CheckRecord } from '../../record/check-record.ts'
import { coverageOf, sumCoverage } from '../../record/coverage.ts'
import type { Outcome } from '../../record/outcome.ts'
import { type RunRecords, reportParts } from '../../record/report-parts.ts'
import type { SelectionRecord } from '../../record/run-record.ts'
import type { Coverage, Verdict } from '../../record/version-report.ts'

/** One run among those that are compared. */
export interface NamedRun {
  readonly name: string
  readonly records: RunRecords
}

/** The kind of change between the first and the last run. */
type ChangeKind = 'regression' | 'fix' | 'lost' | 'new' | 'unlocked' | 'unselected' | 'other'

export interface OutcomeChange {
  readonly kind: ChangeKind
  readonly part: string
  readonly id: string
  readonly title: string
  /** The outcome in each run, in order; absent where the run had no such check. */
  readonly outcomes: readonly (Outcome | undefined)[]
  /** The detail of the last run that has the check. */
  readonly detail: string
}

export interface Comparison {
  readonly runs: readonly {
    readonly name: string
    readonly target: string
    readonly verdict: Verdict
    readonly coverage: Coverage
    readonly selection: SelectionRecord | undefined
    readonly suite: string
  }[]
  readonly changes: readonly OutcomeChange[]
  readonly unchanged: number
  /** The number of checks that passed in the first run and that the last run did not select. */
  readonly unselected: number
  /** The gate of the last run is inconclusive. */
  readonly inconclusive: boolean
  /** Sentences about properties that make a comparison unreliable. */
  readonly cautions: readonly string[]
}

const order: readonly ChangeKind[] = ['regression', 'lost', 'fix', 'unlocked', 'new', 'other']

/** Compares runs check by check; the change is the one from the first run to the last. */
export function compareRuns(runs: readonly NamedRun[]): Comparison {
  const tables = runs.map(({ records }) => checksOf(records))
  const keys = [...new Set(tables.flatMap((table) => [...table.keys()]))]
  const rows = keys.map((key) =>
    rowOf(
      key,
      tables.map((table) => table.get(key)),
    ),
  )
  const moved = rows.filter((row) => new Set(row.outcomes).size > 1)
  const changes = moved.filter(({ kind }) => kind !== 'unselected')
  return {
    runs: runs.map(({ name, records }) => ({
      name,
      target: records.run.target.baseUrl,
      verdict: records.run.verdict,
      selection: records.run.selection,
      coverage: sumCoverage(reportParts(records).map(({ report }) => coverageOf(report.checks))),
      suite: records.run.suite.version,
    })),
    changes: changes.sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind)),
    unchanged: rows.length - moved.length,
    unselected: moved.filter(({ kind, outcomes }) => kind === 'unselected' && outcomes[0] === 'passed').length,
    inconclusive: runs.at(-1)?.records.run.gate.result === 'inconclusive',
    cautions: cautionsOf(runs),
  }
}

function checksOf(records: RunRecords): Map<string, CheckRecord> {
  return new Map(
    reportParts(records).flatMap(({ name, report }) => report.checks.map((check) => [`${name}\n${check.id}`, check])),
  )
}

function rowOf(key: string, checks: readonly (CheckRecord | undefined)[]): OutcomeChange {
  const [part = '', id = ''] = key.split('\n')
  const last = checks.filter((check) => check !== undefined).at(-1)
  const outcomes = checks.map((check) => check?.outcome)
  return { kind: kindOf(outcomes[0], outcomes.at(-1)), part, id, title: last?.title ?? '', outcomes, detail: last?.detail ?? '' }
}

/** Classifies a change. Untested and errored are neither better nor worse than other outcomes. */
function kindOf(before: Outcome | undefined, after: Outcome | undefined): ChangeKind {
  if (before === undefined) return isRed(after) ? 'regression' : 'new'
  if (after === undefined) return 'unselected'
  if (isRed(after)) return before === 'failed' ? 'other' : 'regression'
  if (after === 'warned' && before === 'passed') return 'regression'
  if (after === 'passed' && (isRed(before) || before === 'warned' || before === 'waived')) return 'fix'
  if (isUnknown(after) && before === 'passed') return 'lost'
  if (isUnknown(before) && after === 'passed') return 'unlocked'
  return 'other'
}

function isRed(outcome: Outcome | undefined): boolean {
  return outcome === 'failed'
}

function isUnknown(outcome: Outcome): boolean {
  return outcome === 'untested' || outcome === 'errored'
}

/** The version of the suite, and the release of its requirements where the run named one. */
function suiteVersion({ version, requirements }: RunRecords['run']['suite']): string {
  return requirements === undefined ? version : `${version} with the requirements of ${requirements}`
}

function cautionsOf(runs: readonly NamedRun[]): string[] {
  const interrupted = runs.filter(({ records }) => records.run.interrupted).map(({ name }) => `${name} was interrupted`)
  const versions = new Set(runs.map(({ records: { run } }) => suiteVersion(run.suite)))
  return [
    ...interrupted,
    ...(versions.size > 1 ? [`the runs are by different versions of the suite: ${[...versions].join(', ')}`] : []),
  ]
}
