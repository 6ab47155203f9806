import type { Config } from '../../config/config.ts'
import type { EndpointTraffic, ObservedLag } from '../../record/exchange-record.ts'
import type { RunRecords } from '../../record/report-lanes.ts'
import type { CrossVersionRecord, Report } from '../../record/run-record.ts'
import { summaryOf, type VerdictLimits } from '../../record/verdict.ts'
import type { Catalogue } from '../../suite/catalogue.ts'
import type { Suite } from '../../suite/check.ts'
import { defined, groupBy, sumOf } from '../../text/data.ts'
import { UsageError } from '../../text/errors.ts'
import { allChecks } from '../selection/selection.ts'
import { assembleRun } from './assemble-run.ts'
import { withRequirements } from './assess-requirements.ts'
import { withExchangeIds } from './build-report.ts'

/** Joins the records of shards of one run: checks in the document's order, exchanges renamed so that none collide. Throws {@link UsageError}. */
export function mergeRuns(
  shards: readonly RunRecords[],
  base: Config,
  catalogue: Catalogue,
): RunRecords {
  const first = shards[0]
  if (!first) throw new UsageError('there is no run to merge')
  checkAlike(shards)
  checkComplete(shards)
  const { gate, waivers } = first.run
  const lanes = shards.flatMap(({ reports }, shard) =>
    reports.map((report) => renamed(report, shard)),
  )
  const partsOf = ({ apiVersion }: Report) => lanes.filter((lane) => lane.apiVersion === apiVersion)
  const reports = first.reports.map((report) =>
    joinReports(partsOf(report), gate, catalogue.suites),
  )
  const config = {
    ...base,
    target: { ...base.target, ...first.run.target },
    waivers,
    gate,
  }
  const crossVersion = joinCrossVersions(shards)
  const run = assembleRun({
    config,
    reports,
    crossVersion,
    leftBehind: shards.flatMap(({ run }) => run.leftBehind),
    seed: first.run.seed,
    interrupted: shards.some(({ run: { interrupted } }) => interrupted),
    preflight: first.run.preflight,
    provisional: shards.find(({ run }) => run.provisional)?.run.provisional,
    selection: joinSelections(shards),
    today: first.reports[0]?.startedAt.slice(0, 10) ?? '',
  })
  return {
    run,
    reports: reports.map((report) =>
      withRequirements(report, crossVersion.checks, catalogue.requirements),
    ),
  }
}

/** The selection of all shards together; undefined where they judged the whole suite. */
function joinSelections(shards: readonly RunRecords[]): RunRecords['run']['selection'] {
  const selections = shards.flatMap(({ run }) => run.selection ?? [])
  const [first] = selections
  if (!first) return undefined
  const selected = sumOf(selections, (one) => one.selected)
  const by = first.by.filter((name) => !name.startsWith('--shard '))
  return selected >= first.of ? undefined : { by, selected, of: first.of }
}

const alike: readonly [what: string, of: (shard: RunRecords) => string][] = [
  ['the targets are', ({ run }) => run.target.baseUrl],
  ['the versions of the suite are', ({ run }) => run.suite.version],
  [
    'the API versions are',
    ({ run }) => run.versions.map(({ apiVersion }) => apiVersion).join(', '),
  ],
  [
    'they are',
    ({ run: { shard } }) =>
      shard ? `one of ${shard.of} shards of the selection ${shard.selection}` : 'a whole run',
  ],
]

function checkAlike(shards: readonly RunRecords[]) {
  for (const [what, of] of alike) {
    const [first, other] = [...new Set(shards.map(of))]
    if (other !== undefined)
      throw new UsageError(`these are not shards of one run: ${what} ${first} and ${other}`)
  }
}

function checkComplete(shards: readonly RunRecords[]) {
  const of = shards[0]?.run.shard?.of ?? 0
  const present = new Set(shards.map(({ run }) => run.shard?.index))
  const missing = Array.from({ length: of }, (_, index) => index + 1).filter(
    (index) => !present.has(index),
  )
  const twice = present.size < shards.length ? 'a shard is given twice, and ' : ''
  if (missing.length > 0)
    throw new UsageError(
      `${twice}there is no shard ${missing.map((index) => `${index}/${of}`).join(', ')}`,
    )
}

function joinReports(
  lanes: readonly Report[],
  limits: VerdictLimits,
  suites: readonly Suite[],
): Report {
  const first = lanes[0] as Report
  const checks = inDocumentOrder(lanes, suites)
  return {
    ...first,
    startedAt: lanes.map(({ startedAt }) => startedAt).sort()[0] ?? first.startedAt,
    durationMs: Math.max(...lanes.map(({ durationMs }) => durationMs)),
    ...summaryOf(checks, limits),
    requests: sumOfRequests(lanes),
    checks,
    requirements: [],
    ...joined(lanes, 'permissions', 'observations', 'exchanges', 'warnings', 'leftBehind'),
    interrupted: lanes.some(({ interrupted }) => interrupted),
  }
}

function inDocumentOrder(lanes: readonly Report[], suites: readonly Suite[]) {
  const checks = lanes.flatMap((lane) => lane.checks)
  const rank = new Map(allChecks(suites).map(({ check }, index) => [check.id, index]))
  const twice = checks.find(
    ({ id }, index) => checks.findIndex((other) => other.id === id) !== index,
  )
  if (twice) throw new UsageError(`the shards overlap: ${twice.id} was judged in more than one`)
  return checks.sort((a, b) => (rank.get(a.id) ?? 0) - (rank.get(b.id) ?? 0))
}

function sumOfRequests(lanes: readonly Report[]): Report['requests'] {
  const requests = lanes.map((lane) => lane.requests)
  const counted = requests.flatMap(({ byMethod }) => Object.entries(byMethod))
  const counts = groupBy(counted, ([method]) => method)
  return {
    sent: sumOf(requests, ({ sent }) => sent),
    shared: sumOf(requests, ({ shared }) => shared),
    byMethod: Object.fromEntries(
      [...counts].map(([method, same]) => [method, sumOf(same, ([, count]) => count)]),
    ),
    writes: sumOf(requests, ({ writes }) => writes),
    bytes: sumOf(requests, ({ bytes }) => bytes),
    byEndpoint: joinEndpoints(requests.flatMap(({ byEndpoint = [] }) => byEndpoint)),
    waited: requests.flatMap(({ waited = [] }) => waited).sort((a, b) => b.seconds - a.seconds),
    lags: joinLags(requests.flatMap(({ lags = [] }) => lags)),
  }
}

/** Joins the traffic of shards. A percentile becomes the largest of the lanes, because single times are not recorded. */
function joinEndpoints(lanes: readonly EndpointTraffic[]): EndpointTraffic[] {
  return [...groupBy(lanes, ({ endpoint }) => endpoint)].map(([endpoint, same]) => ({
    endpoint,
    count: sumOf(same, ({ count }) => count),
    bytes: sumOf(same, ({ bytes }) => bytes),
    p50: Math.max(...same.map(({ p50 }) => p50)),
    p95: Math.max(...same.map(({ p95 }) => p95)),
  }))
}

/** Joins the lags of shards by their kind, the slowest first. */
function joinLags(lanes: readonly ObservedLag[]): ObservedLag[] {
  const joinedLags = [...groupBy(lanes, ({ effect }) => effect)].map(([effect, same]) => ({
    effect,
    seen: sumOf(same, ({ seen }) => seen),
    missed: sumOf(same, ({ missed }) => missed),
    slowest: Math.max(...same.map(({ slowest }) => slowest)),
  }))
  return joinedLags.sort((a, b) => b.slowest - a.slowest)
}

function joinCrossVersions(shards: readonly RunRecords[]): CrossVersionRecord {
  const lanes = shards.map(({ run }, shard) => ({
    ...run.crossVersion,
    ...renamed(run.crossVersion, shard),
  }))
  const ignoresVersion = lanes.find((lane) => lane.ignoresVersion)?.ignoresVersion
  return {
    ...joined(lanes, 'checks', 'differences', 'observations', 'exchanges'),
    ...defined({ ignoresVersion }),
  }
}

/** The lists that all lanes have under some names. */
function joined<Lane, Name extends keyof Lane>(lanes: readonly Lane[], ...names: readonly Name[]) {
  return Object.fromEntries(
    names.map((name) => [name, lanes.flatMap((lane) => lane[name])]),
  ) as Pick<Lane, Name>
}

/** The record with the number of its shard in the ids of its exchanges. */
function renamed<Kind extends Pick<Report, 'checks' | 'exchanges'>>(
  lane: Kind,
  shard: number,
): Kind {
  const rename = (id: string) => `${id}-${shard + 1}`
  const exchanges = lane.exchanges.map((exchange) => ({ ...exchange, id: rename(exchange.id) }))
  return { ...lane, checks: lane.checks.map((check) => withExchangeIds(check, rename)), exchanges }
}
