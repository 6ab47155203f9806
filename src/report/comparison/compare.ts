import type { CheckRecord } from '../../record/check-record.ts'
import type { Outcome } from '../../record/reason.ts'
import { type RunRecords, reportLanes } from '../../record/report-lanes.ts'
import type { RunRecord } from '../../record/run-record.ts'
import { judgementsIn } from '../view/findings.ts'
import { runCoverage } from '../view/subject.ts'

/** One of the compared runs. */
export interface NamedRun {
  readonly name: string
  readonly records: RunRecords
}

/** The kinds of change between the first and the last run with their meanings, the most urgent first. */
export const changeKinds = {
  regression: 'worse than before',
  exposed: 'not judged before, failed now',
  lost: 'passed before, not judged now',
  fix: 'better than before',
  open: 'no longer failing, now untested',
  unlocked: 'not judged before, passed now',
  new: 'not among the checks before',
  other: 'changed without being better or worse',
  unselected: 'not among the checks now',
} as const

type ChangeKind = keyof typeof changeKinds

/** A check with different outcomes in the compared runs. */
export interface OutcomeChange extends Readonly<Pick<CheckRecord, 'id' | 'title' | 'detail'>> {
  readonly kind: ChangeKind
  readonly lane: string
  /** The outcome in each run, in order; absent if the run had no such check. */
  readonly outcomes: readonly (Outcome | undefined)[]
}

/** The differences between runs: from the first run to the last. */
export interface Comparison {
  readonly runs: readonly ({ readonly name: string } & ReturnType<typeof subjectOf>)[]
  readonly changes: readonly OutcomeChange[]
  readonly unchanged: number
  /** The number of checks that passed in the first run and were not selected for the last run. */
  readonly unselected: number
  /** The gate of the last run is inconclusive. */
  readonly inconclusive: boolean
  /** Sentences about properties that make a comparison unreliable. */
  readonly cautions: readonly string[]
}

/** Compares runs check by check; the change is the one from the first run to the last. */
export function compareRuns(runs: readonly NamedRun[]) {
  const tables = runs.map(({ records }) => {
    const judgements = judgementsIn(reportLanes(records))
    return new Map(judgements.map(({ lane, check }) => [`${lane.name}\n${check.id}`, check]))
  })
  const keys = new Set(tables.flatMap((table) => [...table.keys()]))
  const isSelection = runs.at(-1)?.records.run.selection !== undefined
  const rows = [...keys].map((key) => rowOf(key, tables, isSelection))
  const moved = rows.filter((row) => new Set(row.outcomes).size > 1)
  const order = Object.keys(changeKinds)
  return {
    runs: runs.map(({ name, records }) => ({ name, ...subjectOf(records) })),
    changes: moved
      .filter(({ kind }) => kind !== 'unselected')
      .sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind)),
    unchanged: rows.length - moved.length,
    unselected: moved.filter(
      ({ kind, outcomes }) => kind === 'unselected' && outcomes[0] === 'passed',
    ).length,
    inconclusive: runs.at(-1)?.records.run.gate.result === 'inconclusive',
    cautions: cautionsOf(runs),
  }
}

function subjectOf(records: RunRecords) {
  const { target, verdict, selection, provisional, suite } = records.run
  const coverage = runCoverage(reportLanes(records))
  return { target: target.baseUrl, verdict, selection, provisional, coverage, suite: suite.version }
}

/** `isSelection`: the last run judged a selection. */
function rowOf(
  key: string,
  tables: readonly ReadonlyMap<string, CheckRecord>[],
  isSelection: boolean,
) {
  const [lane = '', id = ''] = key.split('\n')
  const checks = tables.map((table) => table.get(key))
  const { title = '', detail = '' } = checks.findLast((check) => check !== undefined) ?? {}
  const outcomes = checks.map((check) => check?.outcome)
  return {
    kind: kindOf(outcomes[0], outcomes.at(-1), isSelection),
    lane,
    id,
    title,
    outcomes,
    detail,
  }
}

type ChangeByOutcome = Partial<Record<Outcome, ChangeKind>>
const fromPassed: ChangeByOutcome = { warned: 'regression', untested: 'lost', errored: 'lost' }
const toPassed: ChangeByOutcome = {
  failed: 'fix',
  warned: 'fix',
  waived: 'fix',
  untested: 'unlocked',
  errored: 'unlocked',
}

/** Classifies a change. Untested and errored are neither better nor worse than other outcomes. */
function kindOf(
  before: Outcome | undefined,
  after: Outcome | undefined,
  isSelection: boolean,
): ChangeKind {
  if (after === 'failed' && (before === undefined || toPassed[before] === 'unlocked'))
    return 'exposed'
  if (after === 'failed') return before === 'failed' ? 'other' : 'regression'
  if (before === undefined) return 'new'
  if (after === undefined) return !isSelection && before === 'passed' ? 'lost' : 'unselected'
  if (before === 'failed' && after === 'untested') return 'open'
  const change = before === 'passed' ? fromPassed[after] : after === 'passed' && toPassed[before]
  return change || 'other'
}

/** The versions of the suite that judged the runs, each with the release of its requirements. */
export function suitesOf(runs: readonly NamedRun[]) {
  const suiteVersion = ({ version, requirements }: RunRecord['suite']) =>
    requirements === undefined ? version : `${version} with the requirements of ${requirements}`
  return new Set(runs.map(({ records: { run } }) => suiteVersion(run.suite)))
}

/** Sentences about properties that make a comparison unreliable. */
export function cautionsOf(runs: readonly NamedRun[]) {
  const interrupted = runs
    .filter(({ records }) => records.run.interrupted)
    .map(({ name }) => `${name} was interrupted`)
  const versions = suitesOf(runs)
  if (versions.size < 2) return interrupted
  return [
    ...interrupted,
    `the runs are by different versions of the suite: ${[...versions].join(', ')}`,
  ]
}
