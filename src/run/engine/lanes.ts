import { systemClock } from '../../http/transport/clock.ts'
import { Traffic } from '../../http/transport/traffic.ts'
import type { CheckRecord } from '../../record/check-record.ts'
import type { LaneName } from '../../record/lane-name.ts'
import { endpointLabel } from '../../spec/endpoints.ts'
import { endpointOf } from '../../suite/check.ts'
import { messageOf } from '../../text/errors.ts'
import { openSession, type Session, type SessionSettings } from '../judge/session.ts'
import type { Slots } from '../judge/slots.ts'
import type { Tape } from '../judge/tape.ts'
import type { RunPlan } from '../selection/lanes.ts'
import type { PlacedCheck } from '../selection/selection.ts'
import type { LaneOutcome, RunListener } from './lane-outcome.ts'
import { repeatFailures } from './repeats.ts'
import { stageOf } from './scheduler.ts'

/** A run while it is judged. */
export interface Judging {
  readonly plan: RunPlan
  readonly outcomes: ReadonlyMap<LaneName, LaneOutcome>
  readonly signal: AbortSignal
  readonly slots: Slots
  /** The recording that is written, or that replaces the target. */
  readonly tape?: Tape | undefined
  /** Receives the events; after the end of an interrupted run a silent one takes its place. */
  listener: RunListener
}

/** One lane while it is judged. */
export interface OpenLane {
  readonly name: LaneName
  readonly session: Session
  readonly placed: readonly PlacedCheck[]
  readonly outcome: LaneOutcome
  /** The failed checks that were not judged again so far. */
  readonly failed: CheckRecord[]
  readonly warnings: string[]
  readonly startedAt: Date
}

/** Opens a session for each lane. The outcome of a lane that cannot be opened contains the reason. */
export async function openLanes(judging: Judging): Promise<OpenLane[]> {
  const { plan, signal, slots, tape, outcomes } = judging
  const { config, run, seed, readOnly, maxRequests, deadline } = plan
  const traffic = new Traffic(config.limits, systemClock, signal)
  const common = { run, seed, readOnly, maxRequests, deadline, signal, slots, traffic }
  const lanes: OpenLane[] = []
  for (const { lane: name, apiVersion, placed } of plan.lanes) {
    const outcome = outcomes.get(name) as LaneOutcome
    const reading = placed.filter((each) => stageOf(each) === 'afterwards')
    const lookedUp = new Set(reading.map(({ check, suite }) => endpointLabel(endpointOf(check, suite))))
    const own = { lookedUp, tape: tape?.lane(name) }
    try {
      const session = await openSession(config, apiVersion, { ...common, ...callbacksOf(judging, name), ...own })
      outcome.leftBehind = session.leftBehind
      lanes.push({ name, session, placed, outcome, failed: [], warnings: [], startedAt: new Date(systemClock.now()) })
    } catch (error) {
      outcome.broken = messageOf(error)
    }
  }
  return lanes
}

function callbacksOf(judging: Judging, lane: LaneName): SessionSettings {
  return {
    onExchange: ({ sent }) => judging.listener.requests(lane, sent),
    onWait: (waiting) => judging.listener.waiting(lane, waiting),
    onSecret: (named) => judging.listener.secret?.(named),
  }
}

/** Judges the failed checks again, in the order of the document: the order of the failures must not decide which are repeated. */
export async function repeatLane({ failed, placed, session, outcome, warnings }: OpenLane): Promise<void> {
  const place = new Map(placed.map(({ check }, index) => [check.id, index]))
  const inOrder = failed.splice(0).sort((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0))
  session.exchanges.close()
  const repeated = await repeatFailures(inOrder, placed, session)
  for (const record of repeated.records) outcome.records.set(record.id, record)
  warnings.push(...repeated.warnings)
}

/** Completes the outcome of a lane, with the warning of a release that failed. */
export function completeLane({ session, outcome, startedAt, warnings }: OpenLane, warning?: string): void {
  const log = session.exchanges
  log.close()
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
