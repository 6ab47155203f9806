import type { CheckRecord } from '../record/check-record.ts'
import type { ExchangeRecord } from '../record/exchange-record.ts'
import type { Outcome } from '../record/reason.ts'
import type {
  BlockedChecks,
  GateLimits,
  GateRecord,
  Report,
  RunRecord,
} from '../record/run-record.ts'
import {
  countOutcomes,
  coverageOf,
  missedLimits,
  openReasons,
  verdictOfLanes,
} from '../record/verdict.ts'
import { groupBy, sumOf } from '../text/data.ts'
import { counted, grouped } from '../text/format.ts'
import { waiverFaults, waiverNotices } from './waivers.ts'

type GateInput = Pick<RunRecord, 'crossVersion' | 'waivers' | 'provisional'> & {
  gate: GateLimits
  reports: readonly Report[]
}

/** Checks that decide together: those of a version, or those across versions. */
type Lane = Readonly<Pick<Report, 'checks'> & { name: string }>

/** Decides whether a deployment may go on: by the deviations that count, the limits and the state of the waivers. */
export function judgeGate({
  gate,
  reports,
  crossVersion,
  waivers,
  provisional,
}: GateInput): GateRecord {
  const isCounted = ({ area }: Pick<CheckRecord, 'area'>) =>
    gate.mustConform?.areas?.includes(area) ?? true
  const deciding = reports.filter(
    ({ apiVersion }) => gate.mustConform?.versions?.includes(apiVersion) ?? true,
  )
  const named = [
    ...deciding.map((report) => ({ ...report, name: report.apiVersion })),
    { ...crossVersion, name: 'across versions' },
  ]
  const lanes = named.map(({ name, checks }) => ({ name, checks: checks.filter(isCounted) }))
  const blocked = deciding.flatMap(blockedChecks).filter(isCounted)
  const blockedTexts = blocked.map(blockedText)

  const missed = [
    ...deciding.flatMap(({ apiVersion, totals }) =>
      missedLimits(totals, gate).map((text) => `${apiVersion}: ${text}`),
    ),
    ...waiverFaults(waivers),
    ...(provisional ? suspectedTexts(lanes, gate) : []),
  ]
  const open = [...openTexts(lanes, gate), ...(gate.strict ? blockedTexts : [])]
  const warnings = [
    ...outsideTexts([...reports, crossVersion], lanes),
    ...waiverNotices(waivers, reports),
    ...(gate.strict ? [] : blockedTexts),
  ]

  const verdict = verdictOfLanes(lanes, gate)
  const isFailed = verdict === 'deviates' || missed.length > 0
  const isOpen = verdict === 'inconclusive' || (gate.strict && blocked.length > 0)
  return {
    ...gate,
    result: isFailed ? 'failed' : isOpen ? 'inconclusive' : 'passed',
    missed,
    open,
    warnings,
    blocked,
  }
}

/** The number of suspected checks in each lane whose failure would be red. */
function suspectedTexts(lanes: readonly Lane[], { strict }: GateLimits) {
  const red = new Set<Outcome>(strict ? ['failed', 'untested', 'warned'] : ['failed', 'untested'])
  return lanes.flatMap(({ name, checks }) => {
    const suspected = checks.filter(({ outcome, suspicions }) => suspicions && red.has(outcome))
    if (suspected.length === 0) return []
    return [
      `${name}: ${counted(suspected.length, 'check')} suspected; a run without --quick confirms or drops each suspicion`,
    ]
  })
}

/** The reasons for an inconclusive result, for each lane. */
function openTexts(lanes: readonly Lane[], gate: GateLimits) {
  if (lanes.every(({ checks }) => checks.length === 0))
    return ['no selected check is one of gate.mustConform']
  return lanes.flatMap(({ name, checks }) =>
    openReasons(checks, gate).map((reason) => `${name}: ${reason}`),
  )
}

/** The number of failures that do not count, if there are any. */
function outsideTexts(all: readonly Pick<Report, 'checks'>[], lanes: readonly Lane[]) {
  const failuresIn = (lists: typeof all) =>
    sumOf(lists, ({ checks }) => countOutcomes(checks).failed)
  const outside = failuresIn(all) - failuresIn(lanes)
  return outside === 0 ? [] : [`gate.mustConform leaves out ${counted(outside, 'deviation')}`]
}

/** The reasons of an untested check whose needs were met. */
const metNeeds: readonly (string | undefined)[] = [
  'nothing-to-examine',
  'unusable-response',
  'unfit-need',
]

/** Fewer blocked checks, or a smaller share of them, are not reported: short or changing lists explain a few. */
const least = { checks: 5, share: 0.1 }

/** The most bytes of JSON without content: `[]`, `{}` or `null`, with a line break. */
const emptyBytes = 4

/** The areas of a version with many untested checks whose reads were empty or refused, without a deviation in these reads. */
export function blockedChecks({ apiVersion, checks, exchanges }: Report) {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]))
  return [...groupBy(checks, ({ area }) => area)].flatMap(([area, own]): BlockedChecks[] => {
    const untested = own.filter(
      ({ outcome, reason }) => outcome === 'untested' && metNeeds.includes(reason?.code),
    )
    const of = coverageOf(own).judged + untested.length
    const reads = untested
      .flatMap((check) => byId.get(check.exchanges.at(-1) ?? '') ?? [])
      .filter(isBlocking(own))
    const [first] = reads
    if (!first || reads.length < Math.max(least.checks, least.share * of)) return []
    const { status } = first.response
    const code = status === 200 ? 'empty-reads' : 'refused-reads'
    return [
      {
        code,
        apiVersion,
        area,
        checks: reads.length,
        of,
        method: 'GET',
        url: first.request.url,
        status,
      },
    ]
  })
}

/** Returns a test for the last read of a check: refused or empty, at an endpoint where no check found a deviation. */
function isBlocking(checks: readonly CheckRecord[]): (last: ExchangeRecord) => boolean {
  const noticed = new Set(
    checks.filter(({ deviation }) => deviation).map(({ endpoint }) => endpoint),
  )
  return ({ endpoint, request: { method, url }, response: { status, bodyBytes } }) => {
    // Every list ends with an empty page.
    const isEmpty = status === 200 && bodyBytes <= emptyBytes && !/[?&]page=(?!1\b)/.test(url)
    return (
      method === 'GET' && !noticed.has(endpoint) && (isEmpty || status === 401 || status === 403)
    )
  }
}

/** `2026-03-10: 314 of 487 events checks could not be judged although their data was given; the first blocking read: GET … (200)`. */
export function blockedText({ apiVersion, area, checks, of, method, url, status }: BlockedChecks) {
  const counts = `${apiVersion}: ${grouped(checks)} of ${grouped(of)} ${area} checks`
  return `${counts} could not be judged although their data was given; the first blocking read: ${method} ${url} (${status})`
}
