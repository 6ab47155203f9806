import type { CheckRecord } from '../../record/check-record.ts'
import { type Outcome, worstFirst } from '../../record/reason.ts'
import { type ReportLane, reportLanes } from '../../record/report-lanes.ts'
import type { RunRecord, Totals, Verdict } from '../../record/run-record.ts'
import {
  countOutcomes,
  coverageOf,
  isBegun,
  percentOf,
  selectionText,
  verdictName,
} from '../../record/verdict.ts'
import type { Level, Requirement } from '../../spec/requirements.ts'
import { defined, groupBy } from '../../text/data.ts'
import { type Judgement, judgementsIn } from '../view/findings.ts'
import { verdictStyle } from '../view/subject.ts'
import { cautionsOf, type NamedRun, suitesOf } from './compare.ts'

/** One column: an implementation as its run judged it. */
export interface Implementation {
  readonly name: string
  /** Its release, if its configuration states one. */
  readonly version?: string
  readonly target: string
  /** The day of the run: `2026-11-20`; absent without a report. */
  readonly date?: string
  readonly suite: RunRecord['suite']
  readonly verdict: VerdictCell
  /** The API versions and the comparison of them, by the name of the lane. */
  readonly lanes: Readonly<Record<string, VerdictCell & { readonly totals: Totals }>>
  /** Sentences about a run that judged only a part, or only briefly. */
  readonly notes: readonly string[]
}

/** A verdict with the judged share of the applicable checks. */
interface VerdictCell {
  readonly verdict: Verdict
  readonly words: string
  readonly style: string
  /** `97 %`. */
  readonly judged: string
}

/** The outcome of a claim in one implementation, by the name of the lane. */
export type Cell = Readonly<Record<string, Outcome>>

/** The least unit of the matrix: a check, or the checks of a requirement at one endpoint. */
export interface Claim extends Readonly<Pick<CheckRecord, 'id' | 'title' | 'area' | 'endpoint'>> {
  readonly level: Level
  /** One cell for each implementation, in their order. */
  readonly cells: readonly Cell[]
}

/** Implementations side by side. Every renderer makes its output from it. */
export interface Matrix {
  /** The rows are requirements where the runs are by different versions of the suite. */
  readonly by: 'check' | 'requirement'
  readonly implementations: readonly Implementation[]
  /** The names of all lanes. */
  readonly lanes: readonly string[]
  readonly claims: readonly Claim[]
  /** Sentences about properties that make a comparison unreliable. */
  readonly cautions: readonly string[]
}

/** The matrix of some runs. `requirements` name the rows where the runs are compared by requirement. */
export function matrixOf(runs: readonly NamedRun[], requirements: readonly Requirement[]): Matrix {
  const by = suitesOf(runs).size > 1 ? 'requirement' : 'check'
  const statements = new Map(requirements.map((one) => [one.id, one]))
  const laneLists = runs.map(({ records }) => reportLanes(records))
  const tables = laneLists.map((lanes) => tableOf(lanes, by))
  const keys = new Set(tables.flatMap((table) => [...table.keys()]))
  const claims = [...keys].map((key) => {
    const own = tables.map((table) => table.get(key) ?? [])
    const { check } = own.flat()[0] as Judgement
    const id = idsOf(check, by).find((one) => keyOf(check, one) === key) as string
    const { text = check.title, level = check.level } = statements.get(id) ?? {}
    const { area, endpoint, title } = check
    const named = by === 'check' ? { title, level: check.level } : { title: text, level }
    return { id, area, endpoint, ...named, cells: own.map(cellOf) }
  })
  return {
    by,
    implementations: runs.map((run, index) => implementationOf(run, laneLists[index] ?? [])),
    lanes: [...new Set(laneLists.flat().map(({ name }) => name))],
    claims,
    cautions: [
      ...cautionsOf(runs),
      ...(by === 'requirement'
        ? ['claims are compared by requirement, by their worst outcome']
        : []),
    ],
  }
}

/** The ids of the claims that a check judges. */
export function idsOf(
  { id, requirements }: Pick<CheckRecord, 'id' | 'requirements'>,
  by: Matrix['by'],
): readonly string[] {
  return by === 'check' ? [id] : requirements
}

/** Ids of claims at other endpoints are other claims. */
export const keyOf = ({ endpoint }: Pick<CheckRecord, 'endpoint'>, id: string) =>
  `${id} ${endpoint}`

/** The judgements of a run by the key of their claim. */
function tableOf(lanes: readonly ReportLane[], by: Matrix['by']) {
  const keyed = judgementsIn(lanes).flatMap((judgement) =>
    idsOf(judgement.check, by).map((id) => ({ key: keyOf(judgement.check, id), judgement })),
  )
  const groups = [...groupBy(keyed, ({ key }) => key)]
  return new Map(groups.map(([key, all]) => [key, all.map(({ judgement }) => judgement)]))
}

/** The worst outcome in each lane. A check that an interrupted run did not begin is untested. */
function cellOf(judgements: readonly Judgement[]) {
  const byLane = [...groupBy(judgements, ({ lane }) => lane.name)]
  const worst = (all: readonly Judgement[]) => {
    const found = new Set(all.map(({ check }) => (isBegun(check) ? check.outcome : 'untested')))
    return worstFirst.find((outcome) => found.has(outcome)) ?? 'untested'
  }
  return Object.fromEntries(byLane.map(([name, all]) => [name, worst(all)]))
}

function implementationOf(
  { name, records: { run, reports } }: NamedRun,
  lanes: readonly ReportLane[],
) {
  const date = reports
    .map(({ startedAt }) => startedAt.slice(0, 10))
    .sort()
    .at(-1)
  const lanesByName = lanes.map((lane) => {
    const { verdict, totals } = lane.report
    return [lane.name, { ...verdictCell(verdict, [lane]), totals }] as const
  })
  return {
    name,
    ...defined({ version: run.target.version, date }),
    target: run.target.baseUrl,
    suite: run.suite,
    verdict: verdictCell(run.verdict, lanes),
    lanes: Object.fromEntries(lanesByName),
    notes: [
      ...(run.interrupted ? ['interrupted'] : []),
      ...(run.provisional ? ['provisional (--quick)'] : []),
      ...(run.selection ? [selectionText(run.selection)] : []),
    ],
  }
}

function verdictCell(verdict: Verdict, lanes: readonly ReportLane[]) {
  const { judged, applicable } = coverageOf(lanes.flatMap(({ report }) => report.checks))
  return {
    verdict,
    words: verdictName(verdict, lanes[0] ?? {}),
    style: verdictStyle(verdict, lanes),
    judged: percentOf(judged, applicable),
  }
}

/** A row above claims, with the number of outcomes in each implementation. */
export interface MatrixGroup {
  readonly name: string
  readonly claims: readonly Claim[]
  readonly cells: readonly Totals[]
}

/** Claims by area or by endpoint, in the order in which they occur. */
export function groupsOf(
  claims: readonly Claim[],
  member: 'area' | 'endpoint',
): readonly MatrixGroup[] {
  return [...groupBy(claims, (claim) => claim[member])].map(([name, own]) => ({
    name,
    claims: own,
    cells: (own[0]?.cells ?? []).map((_, column) =>
      totalsOf(own.map(({ cells }) => cells[column] ?? {})),
    ),
  }))
}

/** The number of outcomes in some cells. */
export function totalsOf(cells: readonly Cell[]): Totals {
  return countOutcomes(cells.flatMap((cell) => Object.values(cell).map((outcome) => ({ outcome }))))
}

const judgedOutcomes = new Set<Outcome | undefined>(['passed', 'failed', 'warned', 'waived'])

/** Whether a claim is remarkable in one implementation, beside the cells of all others. */
type Law = (here: Cell, others: readonly Cell[]) => boolean

const isRed = (cell: Cell) => Object.values(cell).includes('failed')

const laws = {
  differs: (here, others) =>
    others.some((other) =>
      judgedLanes(other).some(
        (lane) => judgedOutcomes.has(here[lane]) && here[lane] !== other[lane],
      ),
    ),
  'only-red': (here, others) => isRed(here) && !others.some(isRed),
  untested: (here, others) =>
    others.some((other) => judgedLanes(other).some((lane) => !isDecided(here[lane]))),
} satisfies Record<string, Law>

const judgedLanes = (cell: Cell) =>
  Object.keys(cell).filter((lane) => judgedOutcomes.has(cell[lane]))

const isDecided = (outcome: Outcome | undefined) =>
  outcome === 'inapplicable' || judgedOutcomes.has(outcome)

/** The filters of the matrix with their meanings. */
export const filters = {
  differs: 'differs',
  'only-red': 'only here red',
  untested: 'untested here',
} as const

/** The name of a filter. */
export type Filter = keyof typeof filters

/** The claims that pass a filter in one implementation; in any of them without `column`. */
export function filtered(claims: readonly Claim[], filter: Filter, column?: number): Claim[] {
  const law: Law = laws[filter]
  return claims.filter(({ cells }) =>
    cells.some(
      (cell, index) =>
        (column === undefined || column === index) &&
        law(
          cell,
          cells.filter((_, other) => other !== index),
        ),
    ),
  )
}
