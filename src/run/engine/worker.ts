import { setMaxListeners } from 'node:events'
import type { MessagePort } from 'node:worker_threads'
import { baseUrlOf } from '../../config/addresses.ts'
import { systemClock } from '../../http/transport/clock.ts'
import { Traffic } from '../../http/transport/traffic.ts'
import type { CheckRecord } from '../../record/check-record.ts'
import { endpointLabel } from '../../spec/endpoints.ts'
import type { Level } from '../../spec/requirements.ts'
import { endpointOf, type Suite } from '../../suite/check.ts'
import { messageOf } from '../../text/errors.ts'
import { judge } from '../judge/judge.ts'
import { openSession, type Session, type SessionSettings, slotsFor } from '../judge/session.ts'
import { SharedClock } from '../judge/shared-clock.ts'
import { openTape } from '../replay/open.ts'
import type { RunTape } from '../replay/tape.ts'
import { allChecks, type PlacedCheck } from '../selection/selection.ts'
import type { EngineMessage, LaneName, LanePlan, RunPlan, VersionResult } from './messages.ts'
import { ProgressLine } from './progress-line.ts'
import { repeatFailures } from './repeats.ts'
import { type Job, jobOf, runJobs, stageOf, type stages } from './scheduler.ts'

/** One lane while it is judged. */
interface OpenLane {
  readonly plan: LanePlan
  readonly session: Session
  readonly placed: readonly PlacedCheck[]
  readonly failed: CheckRecord[]
  readonly startedAt: Date
}

/**
 * Judges all lanes of a plan in one schedule: what the versions share on the target, no two of them touch at once. What
 * runs after all others, the repeats of failures and what moves the clock follow when every lane has come that far.
 */
export async function judgeLanes(plan: RunPlan, suites: readonly Suite[], port: MessagePort): Promise<void> {
  const line = new ProgressLine(port)
  const signal = cancelledBy(port)
  const tape = await openTape(plan, (named) => line.secret(named))
  const clock = new SharedClock(signal)
  const lanes = await openLanes(plan, suites, line, signal, tape, clock)
  tape?.begin()
  const inStage = async (stage: (typeof stages)[number]) => {
    for (const turn of turnsOf(lanes, plan, stage)) {
      for (const levels of plan.maxRequests === undefined ? [bothLevels] : bothLevels.map((level) => [level])) {
        const jobs = turn.flatMap((lane) => jobsOf(lane, stage, levels, line))
        await runJobs(stage === 'last' ? movingClock(jobs, clock) : jobs, plan.seed, signal)
      }
    }
  }
  await inStage('main')
  await inStage('across')
  // What moves the clock makes its preparations meanwhile, and then waits for the clock to begin.
  const last = sharesClock(plan) ? inStage('last') : undefined
  await inStage('afterwards')
  for (const { session } of lanes) session.exchanges.close()
  const before = await repeatsOf(lanes)
  clock.begin()
  await (last ?? inStage('last'))
  const after = await repeatsOf(lanes)
  await Promise.all(lanes.map(({ session }) => session.cleanUp()))
  for (const [index, lane] of lanes.entries()) {
    const repeated = [before[index], after[index]].filter((made) => made !== undefined)
    const result = resultOf(lane, await lane.session.release(), repeated)
    line.post({ type: 'result', lane: lane.plan.lane, result })
  }
  // Whoever wanted a recording sees that its file is missing.
  await tape?.close().catch(() => {})
  port.close()
}

function cancelledBy(port: MessagePort): AbortSignal {
  const cancelled = new AbortController()
  // Every request and wait listens to it; their number is bounded by the slots, not by ten.
  setMaxListeners(0, cancelled.signal)
  port.on('message', (message: EngineMessage) => {
    if (message === 'cancel') cancelled.abort(new Error('the run was interrupted'))
  })
  return cancelled.signal
}

/** Opens a session for each lane; the engine is told of those that cannot be opened. */
async function openLanes(
  plan: RunPlan,
  suites: readonly Suite[],
  line: ProgressLine,
  signal: AbortSignal,
  tape: RunTape | undefined,
  clock: SharedClock,
): Promise<OpenLane[]> {
  const { config, run, seed, readOnly, maxRequests, deadline } = plan
  const common = { run, seed, readOnly, maxRequests, deadline, signal, slots: slotsFor(config), traffic: trafficOf(plan, signal) }
  const placed = allChecks(suites)
  const lanes: OpenLane[] = []
  for (const [order, each] of plan.lanes.entries()) {
    const { lane, apiVersion, checks } = each
    const chosen = new Set(checks)
    const mine = placed.filter(({ check }) => chosen.has(check.id))
    const its = {
      ...tellingOf(lane, line),
      lookedUp: lookedUpBy(mine),
      tape: tape?.lane(lane),
      passTime: clock.passingFor(order),
    }
    const settings: SessionSettings = { ...common, ...its }
    try {
      const session = await openSession(config, apiVersion, settings)
      lanes.push({ plan: each, session, placed: mine, failed: [], startedAt: new Date(systemClock.now()) })
    } catch (error) {
      line.post({ type: 'broken', lane, reason: messageOf(error) })
    }
  }
  return lanes
}

/** What the engine is told of while a lane is judged. */
function tellingOf(lane: LaneName, line: ProgressLine): SessionSettings {
  return {
    onExchange: ({ sent }) => line.sent(lane, sent),
    onWait: (waiting) => line.waits(lane, waiting),
    onSecret: (named) => line.secret(named),
    onMade: (what) => line.changed({ lane, did: 'make', what }),
    onUndone: (what) => line.changed({ lane, did: 'undo', what }),
  }
}

/** The connections of a run; a replay has no rate to keep. */
function trafficOf({ config, replay }: RunPlan, signal: AbortSignal): Traffic {
  const limits = replay === undefined ? config.limits : { ...config.limits, requestsPerSecond: Number.POSITIVE_INFINITY }
  return new Traffic(limits, systemClock, signal)
}

/** The endpoints whose answers checks look through when all others have run. */
function lookedUpBy(placed: readonly PlacedCheck[]): ReadonlySet<string> {
  const reading = placed.filter((each) => stageOf(each) === 'afterwards')
  return new Set(reading.map(({ check, suite }) => endpointLabel(endpointOf(check, suite))))
}

/** The lanes that are judged together: all of them, or one after the other where the versions take turns. */
function turnsOf(lanes: OpenLane[], plan: RunPlan, stage: (typeof stages)[number]): OpenLane[][] {
  const { versions } = plan
  return versions === 'side-by-side' && (stage !== 'last' || sharesClock(plan)) ? [lanes] : lanes.map((lane) => [lane])
}

/** True where one clock moves for all versions, and no limit says that what moves it comes after all others. */
function sharesClock({ config, lanes, versions, maxRequests }: RunPlan): boolean {
  const addresses = new Set(lanes.map(({ apiVersion }) => baseUrlOf(config.target, apiVersion)))
  return versions === 'side-by-side' && addresses.size === 1 && maxRequests === undefined
}

/** Jobs that tell the clock when they have ended: it moves when none of them has anything else to do. */
function movingClock(jobs: readonly Job[], clock: SharedClock): Job[] {
  clock.expect(jobs.length)
  return jobs.map((job) => ({ ...job, run: (turn) => job.run(turn).finally(() => clock.ended()) }))
}

/** Where the requests are limited, what must be comes before what should be. */
const bothLevels: readonly Level[] = ['must', 'should']

function jobsOf(
  { plan, session, placed, failed }: OpenLane,
  stage: (typeof stages)[number],
  levels: readonly Level[],
  line: ProgressLine,
): Job[] {
  return placed
    .filter((each) => stageOf(each) === stage && levels.includes(each.check.level))
    .map((each) => {
      const run = async (rank: number) => {
        const record = await judge(each.check, each.suite, session, rank)
        if (record.outcome === 'failed' || session.dropped.has(record.id)) failed.push(record)
        line.judged(plan.lane, record)
      }
      return jobOf(each, plan.lane, run, session.options.maxRequests !== undefined)
    })
}

type Repeats = Awaited<ReturnType<typeof repeatFailures>>

/** The failures of each lane so far, judged again. */
async function repeatsOf(lanes: readonly OpenLane[]): Promise<Repeats[]> {
  const made: Repeats[] = []
  for (const { failed, placed, session } of lanes)
    made.push(await repeatFailures(inOrder(failed.splice(0), placed), placed, session))
  return made
}

/** Records in the order of their checks: what is repeated first must not depend on what was judged first. */
function inOrder(records: readonly CheckRecord[], placed: readonly PlacedCheck[]): CheckRecord[] {
  const place = new Map(placed.map(({ check }, index) => [check.id, index]))
  return [...records].sort((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0))
}

/** What the engine gets of a session that is over. */
function resultOf({ session, startedAt }: OpenLane, warning: string | undefined, repeated: readonly Repeats[]): VersionResult {
  return {
    exchanges: session.exchanges.records,
    observations: session.observations,
    requests: session.traffic(),
    warnings: [...repeated.flatMap(({ warnings }) => warnings), ...(warning === undefined ? [] : [warning])],
    leftBehind: session.leftBehind,
    differences: session.differences,
    startedAt: startedAt.toISOString(),
    durationMs: Math.round(systemClock.now() - startedAt.getTime()),
    repeated: repeated.flatMap(({ records }) => records),
  }
}
