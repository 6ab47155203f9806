import { setMaxListeners } from 'node:events'
import type { LaneName } from '../../record/lane-name.ts'
import type { Level } from '../../spec/requirements.ts'
import { messageOf } from '../../text/errors.ts'
import { judge } from '../judge/judge.ts'
import { SharedClock } from '../judge/shared-clock.ts'
import type { Tape } from '../replay/tape.ts'
import type { RunPlan } from '../selection/run-plan.ts'
import { baseUrlsOf, type Judging, type OpenLane, openLanes, releaseLane, repeatLane } from './lanes.ts'
import { type LaneOutcome, type RunListener, silent } from './outcome.ts'
import { type Job, jobOf, runJobs, stageOf, type stages } from './scheduler.ts'

/** The time in which an interrupted run may remove its objects. Milliseconds. */
const cancelGrace = 300

/**
 * Judges all lanes of a plan in one schedule and resolves to the outcome of each; throws nothing. An abort ends the run within a
 * second, and the outcomes then contain everything that was judged so far.
 */
export async function judgeLanes(
  plan: RunPlan,
  checksOf: Judging['checksOf'],
  listener: RunListener,
  signal: AbortSignal,
  tape?: Tape,
): Promise<ReadonlyMap<LaneName, LaneOutcome>> {
  const own = AbortSignal.any([signal])
  // Each request and each wait listens to the signal. The slots bound their number.
  setMaxListeners(0, own)
  const outcomes = new Map(plan.lanes.map(({ lane }): [LaneName, LaneOutcome] => [lane, { records: new Map(), made: [] }]))
  const judging: Judging = { plan, checksOf, outcomes, signal: own, listener, tape }
  const overdue = new Promise<boolean>((resolve) =>
    own.addEventListener('abort', () => setTimeout(resolve, cancelGrace, false), { once: true }),
  )
  const released = await Promise.race([judgeAll(judging), overdue])
  judging.listener = silent
  if (!released) listener.unreleased?.()
  return outcomes
}

/** Judges all lanes and releases their objects; resolves to false when an error of the engine prevented that. */
async function judgeAll(judging: Judging): Promise<boolean> {
  try {
    await judgeStages(judging)
    return true
  } catch (error) {
    for (const outcome of judging.outcomes.values())
      if (!outcome.result) outcome.broken ??= `the engine ended: ${messageOf(error)}`
    return false
  }
}

/**
 * The versions share one schedule, so that no two of them touch the same object at once. The comparison across them, the checks
 * that run after all others, the repeats of failures and the checks that move the clock follow when every lane has come that far.
 */
async function judgeStages(judging: Judging): Promise<void> {
  const { plan, signal, tape } = judging
  const clock = new SharedClock(signal)
  const lanes = await openLanes(judging, clock)
  const inStage = (stage: (typeof stages)[number]) => judgeStage(judging, lanes, stage, clock)
  await inStage('main')
  await inStage('across')
  // The checks that move the clock prepare their objects meanwhile, and then wait until the clock may move.
  const last = sharesClock(plan) ? inStage('last') : undefined
  await inStage('afterwards')
  for (const { session } of lanes) session.exchanges.close()
  for (const lane of lanes) await repeatLane(lane)
  clock.begin()
  await (last ?? inStage('last'))
  for (const lane of lanes) await repeatLane(lane)
  await Promise.all(lanes.map(({ session }) => session.cleanUp()))
  for (const lane of lanes) await releaseLane(lane)
  if (!signal.aborted) tape?.close()
}

/** Judges the checks of one stage: of all lanes together, or of one lane after the other. */
async function judgeStage(judging: Judging, lanes: readonly OpenLane[], stage: (typeof stages)[number], clock: SharedClock) {
  const { plan, signal } = judging
  const together = plan.versions === 'side-by-side' && (stage !== 'last' || sharesClock(plan))
  for (const turn of together ? [lanes] : lanes.map((lane) => [lane])) {
    // With a limit of requests, required behaviour is judged before recommended behaviour.
    for (const levels of plan.maxRequests === undefined ? [bothLevels] : bothLevels.map((level) => [level])) {
      const jobs = turn.flatMap((lane) => jobsOf(judging, lane, stage, levels))
      await runJobs(stage === 'last' ? movingClock(jobs, clock) : jobs, plan.seed, signal)
    }
  }
}

/** True where one clock moves for all versions, and no limit of requests puts the checks that move it after all others. */
function sharesClock(plan: RunPlan): boolean {
  return plan.versions === 'side-by-side' && baseUrlsOf(plan).size === 1 && plan.maxRequests === undefined
}

/** Jobs that report their end to the clock: it moves when each of them waits for it or has ended. */
function movingClock(jobs: readonly Job[], clock: SharedClock): Job[] {
  clock.expect(jobs.length)
  return jobs.map((job) => ({ ...job, run: (turn) => job.run(turn).finally(() => clock.ended()) }))
}

const bothLevels: readonly Level[] = ['must', 'should']

function jobsOf(judging: Judging, lane: OpenLane, stage: (typeof stages)[number], levels: readonly Level[]): Job[] {
  const { session, placed, failed, outcome } = lane
  return placed
    .filter((each) => stageOf(each) === stage && levels.includes(each.check.level))
    .map((each) => {
      const run = async (rank: number) => {
        const record = await judge(each.check, each.suite, session, rank)
        if (record.outcome === 'failed' || session.dropped.has(record.id)) failed.push(record)
        outcome.records.set(record.id, record)
        judging.listener.check(lane.name, record)
      }
      return jobOf(each, lane.name, run, session.options.maxRequests !== undefined)
    })
}
