import { setImmediate } from 'node:timers/promises'
import { endpointLabel } from '../../spec/endpoints.ts'
import { type Check, touchesOf } from '../../suite/check.ts'
import { agree, precedes, type Touch } from '../../suite/touch.ts'
import { groupBy } from '../../text/data.ts'
import { randomNumbers } from '../judge/random.ts'
import type { SessionOptions } from '../judge/session.ts'
import type { Slots } from '../judge/slots.ts'
import type { PlacedCheck } from '../selection/selection.ts'

/** The stages of a run: the versions, the comparison across them, the checks after all others, and those that move the clock. */
export const stages = ['main', 'across', 'afterwards', 'clock'] as const

/** A part of a run whose checks are scheduled together: one of {@link stages}. */
export type Stage = (typeof stages)[number]

/** A check in a schedule. */
export interface Job {
  readonly touches: readonly Touch[]
  /** A lower rank begins earlier. A job that one of rank 0 waits for begins as early. */
  readonly rank: number
  /** Jobs of one batch that change the same object run directly after each other, because they share their reads of it. */
  readonly batch: string
  /** The job begins in the listed order, so that few recorded lists are parsed at once. */
  readonly inOrder?: boolean
  readonly run: () => Promise<void>
}

/** The longest time for which checks compute without a turn for timers and sockets. Milliseconds. */
const longestStretch = 10

/** The stage of a check. */
export function stageOf({ check }: PlacedCheck): Stage {
  if (check.asks?.includes('advance-clock')) return 'clock'
  return check.schedule === 'afterwards' || check.schedule === 'across' ? check.schedule : 'main'
}

/** The checks in the order of their stages. */
export function inRunningOrder(checks: readonly PlacedCheck[]): PlacedCheck[] {
  return stages.flatMap((stage) => checks.filter((placed) => stageOf(placed) === stage))
}

/** The job of one check. Where requests are limited, the cheapest checks begin first, otherwise the slow ones. */
export function jobOf(placed: PlacedCheck, lane: string, run: Job['run'], limited = false): Job {
  const { check, suite } = placed
  const beginsFirst = check.slow || (check.writes && check.schedule === 'afterwards')
  const rank = limited ? costOf(check) : beginsFirst ? 0 : 1
  const stage = stageOf(placed)
  // In the last two stages no check disturbs another, except that one check at a time moves the clock.
  const late: readonly Touch[] = stage === 'clock' ? [{ what: 'clock', how: 'changes' }] : []
  const touches = stage === 'clock' || stage === 'afterwards' ? late : touchesOf(check, suite)
  return { touches, rank, batch: `${lane} ${endpointLabel(suite.endpoint)}`, inOrder: stage === 'afterwards', run }
}

/** The rank of a check where requests are limited: higher for a check that sends more of them. */
function costOf({ slow, touches, schedule }: Check): number {
  if (slow) return 3
  return touches || schedule === 'alone' ? 2 : 1
}

/**
 * Runs jobs as far as their touches and the slots permit, by rank, by the exclusive jobs that wait for them, and by the seed. No
 * job begins after an abort. Rejects when a job rejects.
 */
export async function runJobs(jobs: readonly Job[], { seed, slots, signal }: JobOptions): Promise<void> {
  const queues = queuesOf(inSeededOrder(jobs, seed))
  const running = new Map<Promise<unknown>, readonly Touch[]>()
  const errors: unknown[] = []
  let paused = 0
  const next = () => (signal?.aborted ? undefined : firstReady(queues, [...running.values()].flat()))
  const start = (job: Job) => {
    const ended = job.run().catch((error: unknown) => errors.push(error))
    running.set(ended, job.touches)
    void ended.then(() => {
      running.delete(ended)
      slots.release()
    })
  }
  for (let queue = next(); errors.length === 0 && (queue || running.size > 0); queue = next()) {
    if (!queue) await Promise.race(running.keys())
    else {
      await slots.acquire()
      // Without a pause, checks that only compute would delay timers and sockets.
      if (performance.now() - paused > longestStretch) {
        await setImmediate()
        paused = performance.now()
      }
      const job = next()?.jobs.shift()
      if (job) start(job)
      else slots.release()
    }
  }
  if (errors.length > 0) throw errors[0]
}

/** The seed of the order, the signal that ends a schedule, and the slots that its jobs share. */
export type JobOptions = Pick<SessionOptions, 'seed' | 'signal'> & { readonly slots: Slots }

/** The jobs with the same touches, in their order. */
interface Queue {
  readonly jobs: Job[]
  readonly touches: readonly Touch[]
  /** The queues that must be empty before a job of this queue begins. */
  readonly after: Queue[]
  /** A job of rank 0 waits for this queue. */
  isUrgent: boolean
}

/** Sorts jobs by rank, and in a random order within a rank. Jobs of one batch that change the same object stay together. */
function inSeededOrder(jobs: readonly Job[], seed: number): Job[] {
  const random = randomNumbers(seed)
  const unitOf = (job: Job) => (isExclusive(job) ? `${job.batch} ${JSON.stringify(job.touches)}` : job)
  return [...groupBy(jobs, unitOf).values()]
    .map((unit) => ({ unit, rank: Math.min(...unit.map(({ rank }) => rank)), place: unit[0]?.inOrder ? 0 : random() }))
    .sort((a, b) => a.rank - b.rank || a.place - b.place)
    .flatMap(({ unit }) => unit)
}

/** Sorts queues by the number of exclusive jobs that wait for them, the most first, because exclusive jobs run one at a time. */
function queuesOf(ordered: readonly Job[]): Queue[] {
  const queued = [...groupBy(ordered, ({ touches }) => JSON.stringify(touches)).values()]
  const queues = queued.map((jobs): Queue => ({ jobs, touches: jobs[0]?.touches ?? [], after: [], isUrgent: false }))
  for (const { jobs, touches, after } of queues) {
    after.push(...queues.filter((other) => anyPair(other.touches, touches, precedes)))
    for (const queue of after) queue.isUrgent ||= jobs[0]?.rank === 0
  }
  const waitingFor = (queue: Queue) =>
    Math.max(...queues.map((other) => (isExclusive(other) && [other, ...other.after].includes(queue) ? other.jobs.length : 0)))
  return queues.sort((a, b) => waitingFor(b) - waitingFor(a))
}

const isExclusive = ({ touches }: Pick<Job, 'touches'>) => touches.some(({ how }) => how === 'changes')

/** The queue with the first job that may begin beside jobs with these touches. */
function firstReady(queues: readonly Queue[], held: readonly Touch[]): Queue | undefined {
  const isReady = ({ jobs, touches, after }: Queue) =>
    jobs.length > 0 && after.every((earlier) => earlier.jobs.length === 0) && !anyPair(touches, held, (a, b) => !agree(a, b))
  const rankOf = ({ jobs, isUrgent }: Queue) => (isUrgent ? 0 : (jobs[0]?.rank ?? 0))
  return queues.filter(isReady).sort((a, b) => rankOf(a) - rankOf(b))[0]
}

function anyPair(some: readonly Touch[], others: readonly Touch[], holds: (a: Touch, b: Touch) => boolean): boolean {
  return some.some((one) => others.some((other) => holds(one, other)))
}
