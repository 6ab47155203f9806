import { randomInt, randomUUID } from 'node:crypto'
import { baseUrlOf } from '../config/addresses.ts'
import type { ReachableConfig } from '../config/config.ts'
import { systemClock } from '../http/transport/clock.ts'
import { whyUnreachable } from '../http/transport/reach.ts'
import type { RunRecords } from '../record/report-parts.ts'
import { noCrossVersion, type SelectionRecord, type ShardRecord } from '../record/run-record.ts'
import { type ApiVersion, latestVersion, newestOf } from '../spec/versions.ts'
import { type RunListener, startEngine, type VersionOutcome } from './engine/engine.ts'
import type { LaneName, RecordPlan, RunPlan } from './engine/messages.ts'
import { assembleRun } from './records/assemble-run.ts'
import { buildReport } from './records/build-report.ts'
import { withRequirements } from './records/requirements.ts'
import type { RecordingHeader } from './replay/format.ts'
import { crossVersionOf, splitSelection } from './selection/cross-version.ts'
import type { PlacedCheck } from './selection/selection.ts'

/** How a target is judged, beside its configuration. */
export interface JudgingOptions {
  readonly readOnly?: boolean | undefined
  readonly maxRequests?: number | undefined
  /** Seed of the property checks; a random one unless given. */
  readonly seed?: number | undefined
  /** The part of a run that the selection is. */
  readonly shard?: ShardRecord | undefined
  /** How much of the suite the selection is; undefined for all of it. */
  readonly selected?: SelectionRecord | undefined
  readonly listener: RunListener
  /** The file that the run is recorded in, with what the recording says beside the answers. */
  readonly record?: Pick<RecordPlan, 'file' | 'preflight'> | undefined
  /** The recording that is judged in place of the target. */
  readonly replay?: { readonly file: string; readonly header: RecordingHeader } | undefined
  /** Why the target cannot be judged, where that is known already: every check is errored without a request. */
  readonly unreachable?: string | undefined
  /** Ends the run. */
  readonly signal?: AbortSignal | undefined
  /** Identifies the run towards the provider; a new id unless given. */
  readonly run?: string | undefined
  /** When the run began, by the system's clock; now unless given. Milliseconds. */
  readonly begun?: number | undefined
}

/** Judges the chosen checks under every configured version and assembles the records. */
export async function judgeTarget(
  config: ReachableConfig,
  selection: readonly PlacedCheck[],
  options: JudgingOptions,
): Promise<RunRecords> {
  const seed = options.seed ?? randomInt(2 ** 31)
  // What depends on the day, such as a waiver, is judged as it was when the recording was made.
  const started = options.replay ? new Date(options.replay.header.startedAt) : new Date()
  const begun = systemClock.now()
  const lanes = planLanes(config, selection)
  const { outcomes, interrupted } = await outcomesOf(config, planOf(config, lanes, seed, started, options), lanes, options)
  const stated = { seed, interrupted, requirements: config.requirements }
  const report = ({ lane, apiVersion, checks }: Lane) => {
    const outcome = outcomes.get(lane) as VersionOutcome
    const { startedAt = started.toISOString(), durationMs = Math.round(systemClock.now() - begun) } = outcome.result ?? {}
    const limits = lane === 'across' ? { strict: config.gate.strict } : config.gate
    return buildReport(checks, outcome, {
      ...{ ...stated, apiVersion, startedAt, durationMs, limits },
      baseUrl: baseUrlOf(config.target, apiVersion),
    })
  }
  const [across] = lanes.filter(({ lane }) => lane === 'across').map(report)
  const versions = lanes.filter(({ lane }) => lane !== 'across').map(report)
  const reports = versions.map((made) => withRequirements(made, across?.checks ?? []))
  const differences = outcomes.get('across')?.result?.differences ?? []
  const run = assembleRun({
    ...{ config, reports, seed, interrupted, shard: options.shard, selection: options.selected },
    crossVersion: across ? crossVersionOf(across, differences, reports) : noCrossVersion,
    leftBehind: [...reports, ...(across ? [across] : [])].flatMap(({ leftBehind }) => leftBehind),
    today: started.toISOString().slice(0, 10),
  })
  return { run, reports }
}

/** What each lane came to; a target that nobody answers for is not asked check by check. */
async function outcomesOf(config: ReachableConfig, plan: RunPlan, lanes: readonly Lane[], options: JudgingOptions) {
  const { signal, unreachable, replay } = options
  const broken = signal?.aborted ? undefined : (unreachable ?? (replay ? undefined : await whyNoneAnswers(config)))
  if (broken !== undefined || signal?.aborted) {
    const lost = { records: new Map(), made: [], ...(broken === undefined ? {} : { broken, unreachable: true }) }
    return {
      outcomes: new Map<LaneName, VersionOutcome>(lanes.map(({ lane }) => [lane, lost])),
      interrupted: broken === undefined,
    }
  }
  const engine = startEngine(plan, options.listener)
  signal?.addEventListener('abort', engine.cancel, { once: true })
  const outcomes = await engine.finished.finally(() => signal?.removeEventListener('abort', engine.cancel))
  return { outcomes, interrupted: signal?.aborted ?? false }
}

/** Why none of the addresses of the chosen versions accepts a connection; nothing where one does. */
async function whyNoneAnswers({ target, versions, limits }: ReachableConfig): Promise<string | undefined> {
  const addresses = new Set(versions.map((version) => baseUrlOf(target, version)))
  const reasons = [...addresses].map((address) => whyUnreachable(address, limits.timeoutSeconds * 1000))
  const known = await Promise.all(reasons)
  return known.includes(undefined) ? undefined : known[0]
}

/** What is judged together, with its checks. */
interface Lane {
  readonly lane: LaneName
  readonly apiVersion: ApiVersion
  readonly checks: readonly PlacedCheck[]
}

/** One lane a version, and one for what is judged across them, sent under the newest. */
function planLanes(config: ReachableConfig, selection: readonly PlacedCheck[]): Lane[] {
  const { perVersion, across } = splitSelection(selection, config.versions)
  const newest = newestOf(config.versions) ?? latestVersion
  const lanes = config.versions.map((apiVersion): Lane => ({ lane: apiVersion, apiVersion, checks: perVersion }))
  return across.length > 0 ? [...lanes, { lane: 'across', apiVersion: newest, checks: across }] : lanes
}

function planOf(config: ReachableConfig, lanes: readonly Lane[], seed: number, started: Date, options: JudgingOptions): RunPlan {
  const { runMinutes } = config.limits
  const { record, replay, shard } = options
  const begun = replay ? started.getTime() : (options.begun ?? systemClock.now())
  const deadline = runMinutes === undefined ? undefined : begun + runMinutes * 60_000
  return {
    config,
    run: replay?.header.run ?? options.run ?? randomUUID(),
    seed,
    readOnly: options.readOnly ?? false,
    maxRequests: options.maxRequests,
    deadline,
    versions: config.limits.versions,
    ...(record ? { record: { ...record, startedAt: started.toISOString(), shard, selection: options.selected } } : {}),
    ...(replay ? { replay: replay.file } : {}),
    lanes: lanes.map(({ lane, apiVersion, checks }) => ({ lane, apiVersion, checks: checks.map(({ check }) => check.id) })),
  }
}
