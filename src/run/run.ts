import { randomInt, randomUUID } from 'node:crypto'
import { baseUrlOf } from '../config/addresses.ts'
import type { ReachableConfig } from '../config/config.ts'
import { knownSecrets } from '../http/redaction/redaction.ts'
import { whyUnreachable } from '../http/transport/connection/reach.ts'
import { beginBudget } from '../http/transport/time/budget.ts'
import { type Clock, systemClock } from '../http/transport/time/clock.ts'
import type { PreflightRecord } from '../record/preflight-record.ts'
import { noCrossVersion, type SelectionRecord, type ShardRecord } from '../record/run-record.ts'
import { catalogueOf } from '../suite/catalogue.ts'
import { judgeLanes } from './engine/judge-lanes.ts'
import type { LaneOutcome, RunListener } from './engine/lane-outcome.ts'
import { assembleRun, crossVersionOf } from './records/assemble-run.ts'
import { withRequirements } from './records/assess-requirements.ts'
import { buildReport } from './records/build-report.ts'
import { type LanePlan, lanesOf, type PlacedCheck, type RunPlan } from './selection/selection.ts'

/** The options for judging a target, besides its configuration. */
export interface JudgingOptions {
  readonly readOnly?: boolean | undefined
  /** Judges each check once: suspicions are shown, and not confirmed. */
  readonly quick?: boolean | undefined
  /** Ends the beginning of checks. What was found is confirmed, and the other checks are left out. */
  readonly enough?: AbortSignal | undefined
  readonly maxRequests?: number | undefined
  /** Seed of the property checks; a random one unless given. */
  readonly seed?: number | undefined
  /** The shard that the selection is; undefined for a whole run. */
  readonly shard?: ShardRecord | undefined
  /** The extent of the selection; undefined for the whole suite. */
  readonly selected?: SelectionRecord | undefined
  readonly listener?: RunListener | undefined
  /** The findings of the preflight, for the records of the run. */
  readonly preflight?: PreflightRecord | undefined
  /** The known reason why the target cannot be judged: every check is then errored without a request. */
  readonly unreachable?: string | undefined
  /** Ends the run within seconds; the records then say `interrupted`. */
  readonly signal?: AbortSignal | undefined
  /** Identifies the run towards the provider; a new id unless given. */
  readonly run?: string | undefined
  /** The beginning of the run by the system's clock; now unless given. Milliseconds. */
  readonly begun?: number | undefined
  /** Times the waits; the clock of the system unless given. */
  readonly clock?: Clock | undefined
}

/** Judges the chosen checks under every configured version and assembles the records. */
export async function judgeTarget(
  config: ReachableConfig,
  selection: readonly PlacedCheck[],
  options: JudgingOptions,
) {
  const started = new Date()
  const begun = systemClock.now()
  const { requirements } = catalogueOf(config)
  const plan = planOf(config, selection, options)
  const { outcomes, interrupted } = await outcomesOf(plan, options)
  const { seed } = plan
  const report = ({ lane, apiVersion, placed }: LanePlan) => {
    const outcome = outcomes.get(lane) as LaneOutcome
    const {
      startedAt = started.toISOString(),
      durationMs = Math.round(systemClock.now() - begun),
    } = outcome.result ?? {}
    return buildReport(placed, outcome, {
      seed,
      interrupted,
      isEnough: options.enough?.aborted,
      requirements: config.requirements,
      apiVersion,
      startedAt,
      durationMs,
      limits: lane === 'across' ? { strict: config.gate.strict } : config.gate,
      baseUrl: baseUrlOf(config.target, apiVersion),
    })
  }
  const [across] = plan.lanes.filter(({ lane }) => lane === 'across').map(report)
  const versions = plan.lanes.filter(({ lane }) => lane !== 'across').map(report)
  const reports = versions.map((made) => withRequirements(made, across?.checks ?? [], requirements))
  const differences = outcomes.get('across')?.result?.differences ?? []
  const run = assembleRun({
    config,
    reports,
    seed,
    interrupted,
    provisional: plan.isQuick ? true : undefined,
    preflight: options.preflight,
    shard: options.shard,
    selection: options.selected,
    crossVersion: across ? crossVersionOf(across, differences, reports) : noCrossVersion,
    leftBehind: [...reports, ...(across ? [across] : [])].flatMap(({ leftBehind }) => leftBehind),
    today: started.toISOString().slice(0, 10),
  })
  // A secret that became known late may be in an earlier record.
  return knownSecrets.redactJson({ run, reports, requirements })
}

/** The outcome of each lane. Without a reachable address no check is attempted. */
async function outcomesOf(plan: RunPlan, options: JudgingOptions) {
  const { signal = new AbortController().signal, unreachable } = options
  const budget = beginBudget(plan.time, signal)
  const broken = unreachable ?? (await whyUnavailable(plan.config, budget.signal))
  if (broken === undefined && !signal.aborted)
    return {
      outcomes: await judgeLanes(plan, options.listener ?? {}, budget, signal),
      interrupted: signal.aborted,
    }
  budget.stop()
  const lost: LaneOutcome = {
    records: new Map(),
    leftBehind: [],
    ...(broken === undefined ? {} : { broken, unreachable: true }),
  }
  return {
    outcomes: new Map(plan.lanes.map(({ lane }) => [lane, lost])),
    interrupted: signal.aborted,
  }
}

/** The reason why none of the addresses of the chosen versions accepts a connection; undefined if one does, or after the end of the run. */
async function whyUnavailable({ target, versions, limits }: ReachableConfig, signal: AbortSignal) {
  const addresses = new Set(versions.map((version) => baseUrlOf(target, version)))
  const reasons = await Promise.all(
    [...addresses].map((address) => whyUnreachable(address, limits.timeoutSeconds * 1000, signal)),
  )
  return reasons.includes(undefined) ? undefined : reasons[0]
}

function planOf(
  config: ReachableConfig,
  selection: readonly PlacedCheck[],
  options: JudgingOptions,
) {
  const { clock = systemClock } = options
  return {
    config,
    run: options.run ?? randomUUID(),
    seed: options.seed ?? randomInt(2 ** 31),
    readOnly: options.readOnly ?? false,
    isQuick: options.quick ?? false,
    enough: options.enough,
    maxRequests: options.maxRequests,
    time: { minutes: config.limits.runMinutes, begun: options.begun ?? clock.now(), clock },
    lanes: lanesOf(config.versions, selection),
  }
}
