import { nextTurn } from '../../http/transport/time/timers.ts'
import { endpointLabel } from '../../spec/endpoints.ts'
import { type Check, touchesOf } from '../../suite/check.ts'
import { agree, precedes, type Touch } from '../../suite/touch.ts'
import { groupBy, remembered } from '../../text/data.ts'
import { randomNumbers } from '../judge/random.ts'
import type { SessionOptions } from '../judge/session.ts'
import type { Slots } from '../judge/slots.ts'
import type { Turn } from '../judge/trace.ts'
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
  readonly run: (turn: Turn) => Promise<void>
  /** The jobs that follow from the judgement, once the job has run. */
  readonly next?: () => readonly Job[]
}

/** The longest time for which checks compute without a turn for timers and sockets. Milliseconds. */
const longestStretch = 10

/** The stage of a check. */
export function stageOf({ check }: PlacedCheck) {
  if (check.asks?.includes('advance-clock')) return 'clock'
  return check.schedule === 'afterwards' || check.schedule === 'across' ? check.schedule : 'main'
}

/** The checks in the order of their stages. */
export function inRunningOrder(checks: readonly PlacedCheck[]) {
  return stages.flatMap((stage) => checks.filter((placed) => stageOf(placed) === stage))
}

/** The job of one check. Where requests are limited, the cheapest checks begin first, otherwise the slow ones. */
export function jobOf(placed: PlacedCheck, lane: string, run: Job['run'], limited = false) {
  const { check, suite } = placed
  const beginsFirst = check.slow || (check.writes && check.schedule === 'afterwards')
  const rank = limited ? costOf(check) : beginsFirst ? 0 : 1
  const stage = stageOf(placed)
  // In the last two stages no check disturbs another, except that one check at a time moves the clock.
  const late: readonly Touch[] = stage === 'clock' ? [{ what: 'clock', how: 'changes' }] : []
  const touches = stage === 'clock' || stage === 'afterwards' ? late : touchesOf(check, suite)
  return {
    touches,
    rank,
    batch: `${lane} ${endpointLabel(suite.endpoint)}`,
    inOrder: stage === 'afterwards',
    run,
  }
}

/** The rank of a check where requests are limited: higher for a check that sends more of them. */
function costOf({ slow, touches, schedule }: Check) {
  if (slow) return 3
  return touches || schedule === 'alone' ? 2 : 1
}

/**
 * Runs jobs as far as their touches and the slots permit, by rank, by the exclusive jobs that wait for them, and by the seed. No
 * job begins after an abort. Rejects when a job rejects.
 */
export async function runJobs(jobs: readonly Job[], { seed, slots, signal }: JobOptions) {
  const queues = queuesOf(inSeededOrder(jobs, seed))
  const objects = new HeldObjects()
  const errors: unknown[] = []
  let paused = 0
  const next = () => (signal?.aborted ? undefined : firstReady(queues, objects.claimed()))
  const start = (job: Job) => {
    const holder = objects.take(job.touches)
    const turn: Turn = {
      vacate: (wait) => slots.vacate(() => objects.without(holder, wait)),
      awaitWork: (isAwaiting) => {
        holder.awaitedWork += isAwaiting ? 1 : -1
      },
      isLast: () => !next() && objects.areAwaited(),
    }
    const ended = job.run(turn).then(
      () => void queues.push(...queuesOf(job.next?.() ?? [])),
      (error: unknown) => void errors.push(error),
    )
    void ended.then(() => {
      slots.release()
      objects.leave(holder)
    })
  }
  while (errors.length === 0) {
    const changed = objects.nextChange()
    if (!next()) {
      if (objects.areFree()) break
      await changed
      continue
    }
    await slots.acquire()
    // Without a pause, checks that only compute would delay timers and sockets.
    if (performance.now() - paused > longestStretch) {
      await nextTurn()
      paused = performance.now()
    }
    const job = next()?.jobs.shift()
    if (job) start(job)
    else slots.release()
  }
  if (errors.length > 0) throw errors[0]
}

/** A running job and the objects that it holds now: none while it waits. */
interface Holder {
  readonly touches: readonly Touch[]
  held: readonly Touch[]
  /** The job waits without its objects. */
  isWaiting: boolean
  /** The number of works in the background for which the job waits. It reads their states from time to time. */
  awaitedWork: number
}

/** The objects of all running jobs. A job that waits gives its objects back, and gets them again before any job that has not begun. */
class HeldObjects {
  readonly #holders = new Set<Holder>()
  readonly #returning = new Map<Holder, (() => void)[]>()
  #announce = () => {}

  /** The objects that a new job must respect: those of the running jobs and of the jobs that want theirs back. */
  claimed(): Touch[] {
    return [...this.#holders].flatMap((holder) =>
      this.#returning.has(holder) ? holder.touches : holder.held,
    )
  }

  areFree() {
    return this.#holders.size === 0
  }

  /** True when every running job waits. */
  areAwaited() {
    return [...this.#holders].every(({ isWaiting, awaitedWork }) => isWaiting || awaitedWork > 0)
  }

  /** Resolves when a job leaves, gives its objects back or gets them again. */
  nextChange(): Promise<void> {
    return new Promise((resolve) => (this.#announce = resolve))
  }

  take(touches: readonly Touch[]): Holder {
    const holder = { touches, held: touches, isWaiting: false, awaitedWork: 0 }
    this.#holders.add(holder)
    return holder
  }

  leave(holder: Holder) {
    this.#holders.delete(holder)
    this.#changed()
  }

  /** Waits without the objects of a job. */
  async without<Result>(holder: Holder, wait: () => Promise<Result>): Promise<Result> {
    holder.held = []
    holder.isWaiting = true
    this.#changed()
    try {
      return await wait()
    } finally {
      await new Promise<void>((resolve) => {
        remembered(this.#returning, holder, () => []).push(resolve)
        this.#changed()
      })
    }
  }

  /** Gives the objects to those jobs that want them back, as far as they are free. */
  #changed() {
    for (const [holder, resumed] of this.#returning) {
      const others = [...this.#holders]
        .filter((other) => other !== holder)
        .flatMap(({ held }) => held)
      if (anyPair(holder.touches, others, (a, b) => !agree(a, b))) continue
      this.#returning.delete(holder)
      holder.held = holder.touches
      holder.isWaiting = false
      for (const resume of resumed) resume()
    }
    this.#announce()
  }
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
function inSeededOrder(jobs: readonly Job[], seed: number) {
  const random = randomNumbers(seed)
  const unitOf = (job: Job) =>
    isExclusive(job) ? `${job.batch} ${JSON.stringify(job.touches)}` : job
  return [...groupBy(jobs, unitOf).values()]
    .map((unit) => ({
      unit,
      rank: Math.min(...unit.map(({ rank }) => rank)),
      place: unit[0]?.inOrder ? 0 : random(),
    }))
    .sort((a, b) => a.rank - b.rank || a.place - b.place)
    .flatMap(({ unit }) => unit)
}

/** Sorts queues by the number of exclusive jobs that wait for them, the most first, because exclusive jobs run one at a time. */
function queuesOf(ordered: readonly Job[]) {
  const queued = [...groupBy(ordered, ({ touches }) => JSON.stringify(touches)).values()]
  const queues = queued.map(
    (jobs): Queue => ({ jobs, touches: jobs[0]?.touches ?? [], after: [], isUrgent: false }),
  )
  for (const { jobs, touches, after } of queues) {
    after.push(...queues.filter((other) => anyPair(other.touches, touches, precedes)))
    for (const queue of after) queue.isUrgent ||= jobs[0]?.rank === 0 || isExclusive({ touches })
  }
  const waitingFor = (queue: Queue) =>
    Math.max(
      ...queues.map((other) =>
        isExclusive(other) && [other, ...other.after].includes(queue) ? other.jobs.length : 0,
      ),
    )
  return queues.sort((a, b) => waitingFor(b) - waitingFor(a))
}

const isExclusive = ({ touches }: Pick<Job, 'touches'>) =>
  touches.some(({ how }) => how === 'changes')

/** The queue with the first job that may begin beside jobs with these touches. */
function firstReady(queues: readonly Queue[], held: readonly Touch[]) {
  const isReady = ({ jobs, touches, after }: Queue) =>
    jobs.length > 0 &&
    after.every((earlier) => earlier.jobs.length === 0) &&
    !anyPair(touches, held, (a, b) => !agree(a, b))
  const rankOf = ({ jobs, isUrgent }: Queue) => (isUrgent ? 0 : (jobs[0]?.rank ?? 0))
  return queues.filter(isReady).sort((a, b) => rankOf(a) - rankOf(b))[0]
}

function anyPair(
  some: readonly Touch[],
  others: readonly Touch[],
  holds: (a: Touch, b: Touch) => boolean,
) {
  return some.some((one) => others.some((other) => holds(one, other)))
}
