import { once } from 'node:events'
import { type Budget, cancelGrace, lateGrace } from '../../http/transport/time/budget.ts'
import { type Clock, systemClock } from '../../http/transport/time/clock.ts'
import { Traffic } from '../../http/transport/traffic.ts'
import type { CheckRecord } from '../../record/check-record.ts'
import type { LaneName } from '../../record/lane-name.ts'
import { endpointLabel } from '../../spec/endpoints.ts'
import type { Level } from '../../spec/requirements.ts'
import { endpointOf } from '../../suite/check.ts'
import { forgetItems } from '../../suite/located.ts'
import { messageOf } from '../../text/errors.ts'
import { judge } from '../judge/judge.ts'
import { Patience } from '../judge/patience.ts'
import { openSession, type SessionSettings, slotsFor } from '../judge/session.ts'
import type { Slots } from '../judge/slots.ts'
import type { Turn } from '../judge/trace.ts'
import type { PlacedCheck, RunPlan } from '../selection/selection.ts'
import { type ConfirmedLane, confirm } from './confirmations.ts'
import type { LaneOutcome, RunListener } from './lane-outcome.ts'
import { type Job, jobOf, runJobs, type Stage, stageOf, stages } from './scheduler.ts'

/**
 * Judges all lanes of a plan in one schedule, and returns the outcome of each. After an interruption it returns within a second, with
 * the judgements so far, and at the end of the budget within some seconds.
 */
export async function judgeLanes(
  plan: RunPlan,
  listener: RunListener,
  budget: Budget,
  interruption: AbortSignal,
) {
  const outcomes = new Map(
    plan.lanes.map(({ lane }): [LaneName, LaneOutcome] => [
      lane,
      { records: new Map(), leftBehind: [] },
    ]),
  )
  const judging: Judging = {
    plan,
    clock: budget.clock,
    outcomes,
    interruption,
    signal: budget.signal,
    slots: slotsFor(plan.config),
    listener,
  }
  const after = async (ending: AbortSignal, grace: number) => {
    if (!ending.aborted) await once(ending, 'abort', { signal: ended.signal })
    await systemClock.sleep(grace, ended.signal)
    return false
  }
  const ended = new AbortController()
  const released = await Promise.race([
    judgeAll(judging),
    after(interruption, cancelGrace),
    after(budget.signal, lateGrace),
  ])
  ended.abort()
  // They would keep the sessions in memory while the reports are written.
  budget.stop()
  forgetItems()
  judging.listener = {}
  if (!released) listener.unreleased?.()
  const isLate = budget.signal.aborted && !interruption.aborted
  for (const outcome of outcomes.values()) outcome.isLate = isLate
  return outcomes
}

/** Judges all lanes and releases their objects; resolves to false when an error of the engine prevented that. */
async function judgeAll(judging: Judging) {
  try {
    await judgeStages(judging)
    return true
  } catch (error) {
    for (const outcome of judging.outcomes.values()) {
      if (!outcome.result) outcome.broken ??= `the engine ended: ${messageOf(error)}`
    }
    return false
  }
}

/** Judges one stage after the other. The versions share each schedule, so that only one of them changes an object at a time. Failures are repeated before the clock moves. */
async function judgeStages(judging: Judging) {
  const lanes = await openLanes(judging)
  const complete = () => lanes.forEach((lane) => void completeLane(lane))
  // On a slow machine, an interrupted run ends while its last checks still run.
  judging.signal.addEventListener('abort', complete, { once: true })
  for (const stage of stages) {
    if (stage === 'clock' && !judging.plan.isQuick) await confirmLanes(judging, lanes)
    await judgeStage(judging, lanes, stage)
  }
  // An interrupted run ends before a slow target has removed its objects.
  complete()
  for (const { session } of lanes) session.exchanges.close()
  await Promise.all(lanes.map(({ session }) => session.cleanUp()))
  for (const lane of lanes) completeLane(lane, await lane.session.release())
}

/** Judges the checks of one stage: of all lanes together, or of one lane after the other. */
async function judgeStage(judging: Judging, lanes: readonly OpenLane[], stage: Stage) {
  const { plan, slots } = judging
  const signal = AbortSignal.any([judging.interruption, ...(plan.enough ? [plan.enough] : [])])
  // With a limit of requests, required behaviour is judged before recommended behaviour.
  const parts: Level[][] =
    plan.maxRequests === undefined ? [['must', 'should']] : [['must'], ['should']]
  const groups =
    plan.config.limits.versions === 'side-by-side' ? [lanes] : lanes.map((lane) => [lane])
  for (const group of groups) {
    for (const levels of parts) {
      const jobs = group.flatMap((lane) => jobsOf(judging, lane, stage, levels))
      await runJobs(jobs, { seed: plan.seed, slots, signal })
    }
  }
}

function jobsOf(judging: Judging, lane: OpenLane, stage: Stage, levels: readonly Level[]): Job[] {
  const limited = judging.plan.maxRequests !== undefined
  return lane.placed
    .filter((each) => stageOf(each) === stage && levels.includes(each.check.level))
    .map((each) =>
      jobOf(each, lane.name, (turn) => judgePlaced(judging, lane, each, turn), limited),
    )
}

async function judgePlaced(judging: Judging, lane: OpenLane, placed: PlacedCheck, turn: Turn) {
  const { check, suite } = placed
  // No later stage confirms a check that moves the clock, so it is patient at once.
  const record = await judge(check, suite, lane.session, {
    turn,
    isConfirming: stageOf(placed) === 'clock',
  })
  const isDoubtful =
    record.outcome === 'failed' || record.suspicions || lane.session.dropped.has(record.id)
  if (isDoubtful) lane.doubtful.push(record)
  lane.records.set(record.id, record)
  judging.listener.progress?.({ type: 'check', lane: lane.name, record })
}

/** A run while it is judged. */
interface Judging {
  readonly plan: RunPlan
  readonly outcomes: ReadonlyMap<LaneName, LaneOutcome>
  /** The clock of the budget. */
  readonly clock: Clock
  /** The interruption: no further check begins. */
  readonly interruption: AbortSignal
  /** The interruption or the deadline: no request is sent, and none is waited for. */
  readonly signal: AbortSignal
  readonly slots: Slots
  /** Receives the events; after the end of an interrupted run an empty one takes its place. */
  listener: RunListener
}

/** One lane while it is judged. */
interface OpenLane extends ConfirmedLane {
  readonly doubtful: CheckRecord[]
  readonly outcome: LaneOutcome
  readonly startedAt: Date
}

/** Opens a session for each lane. The outcome of a lane that cannot be opened contains the reason. */
async function openLanes(judging: Judging): Promise<OpenLane[]> {
  const { plan, clock, signal, slots, outcomes } = judging
  const { config, run, seed, readOnly, maxRequests } = plan
  const maxRetryWaitSeconds = config.polling.maxWaitSeconds
  const traffic = new Traffic({ limits: config.limits, maxRetryWaitSeconds, clock, signal })
  const patience = new Patience(config.polling.maxWaitSeconds)
  const common = {
    run,
    seed,
    readOnly,
    maxRequests,
    clock,
    signal,
    slots,
    traffic,
    patience,
  }
  const lanes: OpenLane[] = []
  for (const { lane: name, apiVersion, placed } of plan.lanes) {
    const outcome = outcomes.get(name) as LaneOutcome
    const reading = placed.filter((each) => stageOf(each) === 'afterwards')
    const lookedUp = new Set(
      reading.map(({ check, suite }) => endpointLabel(endpointOf(check, suite))),
    )
    const own: SessionSettings = {
      lookedUp,
      onExchange: ({ sent }, exchange) => {
        judging.listener.exchange?.(name, exchange)
        judging.listener.progress?.({ type: 'requests', lane: name, sent })
      },
      onWait: (waiting) => judging.listener.progress?.({ type: 'waiting', lane: name, waiting }),
      onWaited: (waiting) => judging.listener.progress?.({ type: 'waited', lane: name, waiting }),
    }
    try {
      const session = await openSession(config, apiVersion, { ...common, ...own })
      outcome.leftBehind = session.leftBehind
      const startedAt = new Date(systemClock.now())
      lanes.push({
        name,
        session,
        placed,
        outcome,
        records: outcome.records,
        doubtful: [],
        warnings: [],
        startedAt,
      })
    } catch (error) {
      if (!signal.aborted) outcome.broken = messageOf(error)
    }
  }
  return lanes
}

/** Judges the doubtful checks again, in the order of the document: the order of the failures must not decide which are repeated. */
async function confirmLanes(
  { plan, interruption: signal, slots, listener }: Judging,
  lanes: readonly OpenLane[],
) {
  for (const { placed, doubtful } of lanes) {
    const place = new Map(placed.map(({ check }, index) => [check.id, index]))
    doubtful.sort((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0))
  }
  const announce = (suspected: number, patience: number) =>
    listener.progress?.({ type: 'confirming', suspected, patience })
  await confirm(lanes, { seed: plan.seed, signal, slots, announce })
  for (const { session } of lanes) session.exchanges.close()
}

/** Completes the outcome of a lane, with the warning of a release that failed. */
function completeLane({ session, outcome, startedAt, warnings }: OpenLane, warning?: string) {
  const log = session.exchanges
  outcome.result = {
    get exchanges() {
      return log.records
    },
    observations: session.observations,
    requests: session.traffic(),
    warnings: [...warnings, ...(warning === undefined ? [] : [warning])],
    differences: session.differences,
    startedAt: startedAt.toISOString(),
    durationMs: Math.round(systemClock.now() - startedAt.getTime()),
  }
}
