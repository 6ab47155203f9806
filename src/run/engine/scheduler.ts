import { endpointLabel } from '../../spec/endpoints.ts'
import { type Check, scheduleOf } from '../../suite/check.ts'
import { agree, precedes, type Touch } from '../../suite/touch.ts'
import { touchesOf } from '../../suite/touches.ts'
import { groupBy } from '../../text/data.ts'
import type { PlacedCheck } from '../selection/selection.ts'

/** Something to run as soon as nothing that runs touches the same. */
export interface Job {
  readonly touches: readonly Touch[]
  /** A lower rank is begun earlier. */
  readonly rank: number
  /** Jobs of one batch that change the same thing follow each other directly, since they share what they know of it. */
  readonly batch: string
  /** It waits for the target by design. */
  readonly slow?: boolean | undefined
  /** `turn` says who gets what is scarce: the job with the lower one. */
  readonly run: (turn: number) => Promise<void>
}

/** The parts of a run: the versions, what is compared across them, what runs after all of that, and what nothing may follow. */
export const stages = ['main', 'across', 'afterwards', 'last'] as const

/** The part of a run to which a check belongs. What moves the target's clock comes last. */
export function stageOf({ check }: PlacedCheck): (typeof stages)[number] {
  if (check.asks?.includes('advance-clock')) return 'last'
  const schedule = scheduleOf(check)
  return schedule === 'afterwards' || schedule === 'across' ? schedule : 'main'
}

/** What takes long comes first, as what waits for an effect after all others does. Where requests are limited, `frugal`, it comes last, and before it what needs something for itself. */
function rankOf(check: Check, frugal: boolean): number {
  if (!frugal) return check.slow || (check.writes && check.schedule === 'afterwards') ? 1 : 2
  if (check.slow) return 3
  return check.touches || check.schedule === 'alone' ? 2 : 1
}

/** The checks stage by stage: what must be judged before what. */
export function inRunningOrder(checks: readonly PlacedCheck[]): PlacedCheck[] {
  return stages.flatMap((stage) => checks.filter((placed) => stageOf(placed) === stage))
}

/** The job of one check of a stage, in a lane. Where requests are limited, `frugal`, cheap ones come first. */
export function jobOf({ check, suite }: PlacedCheck, lane: string, run: Job['run'], frugal = false): Job {
  const touches = ['main', 'across'].includes(stageOf({ check, suite })) ? touchesOf(check, suite) : []
  return { touches, rank: rankOf(check, frugal), batch: `${lane} ${endpointLabel(suite.endpoint)}`, slow: check.slow, run }
}

/**
 * Runs jobs beside each other as far as what they touch permits: by rank, within a rank in an order that the seed
 * decides, except that jobs of a batch which need a thing for themselves follow each other as they are listed.
 * Nothing more is begun once the signal is aborted. Rejects when a job does.
 */
export async function runJobs(jobs: readonly Job[], seed: number, signal?: AbortSignal): Promise<void> {
  const ordered = shuffled(jobs, seed).sort((a, b) => a.rank - b.rank)
  const place = new Map(jobs.map((job, index) => [job, index]))
  const queues = queuesOf(ordered, place)
  await new Promise<void>((resolve, reject) => {
    const held = new Held()
    let running = 0
    const begin = () => {
      for (const [place, { jobs: waiting, touches, after }] of queues.entries()) {
        while (waiting[0] && !signal?.aborted && isOver(after) && held.permits(touches)) start(waiting.shift() as Job, place)
      }
      if (running === 0) resolve()
    }
    const isOver = (earlier: readonly Queue[]) => earlier.every((queue) => queue.jobs.length === 0)
    const start = (job: Job, place: number) => {
      running += 1
      held.take(job.touches)
      job.run(job.rank * queues.length + place).then(() => {
        running -= 1
        if (held.free(job.touches) || running === 0) begin()
      }, reject)
    }
    begin()
  })
}

/** Jobs that touch the same, in their order. */
interface Queue {
  readonly jobs: Job[]
  readonly touches: readonly Touch[]
  /** The queues that come before this one: something that theirs do to a thing precedes what its jobs do to it. */
  readonly after: Queue[]
}

/** As many jobs of a queue count like one of those that follow each other. */
const sideBySide = 16

/** A job that waits counts like so many that only ask: some seconds by some requests of 40 ms. */
const slowly = 32

/** The queues of a run: those come first on which the longest row of jobs waits, one after the other. */
function queuesOf(ordered: readonly Job[], place: ReadonlyMap<Job, number>): Queue[] {
  const queues = [...groupBy(ordered, ({ touches }) => JSON.stringify(touches)).values()].map(
    (jobs): Queue => ({ jobs: inBatches(jobs, place), touches: jobs[0]?.touches ?? [], after: [] }),
  )
  for (const { touches, after } of queues) {
    const earlier = queues.filter((queue) => queue.touches.some((one) => touches.some((other) => precedes(one, other))))
    after.push(...earlier)
  }
  const rows = new Map<Queue, number>()
  const rowFrom = (queue: Queue): number => {
    const known = rows.get(queue)
    if (known !== undefined) return known
    const followers = queues.filter(({ after }) => after.includes(queue))
    const row = lengthOf(queue, followers) + Math.max(0, ...followers.map(rowFrom))
    rows.set(queue, row)
    return row
  }
  return queues.sort((a, b) => rowFrom(b) - rowFrom(a))
}

/** How long a queue takes: what runs side by side and nobody waits for fills the gaps. */
function lengthOf({ jobs, touches }: Queue, followers: readonly Queue[]): number {
  const waits = jobs.filter(({ slow }) => slow).length
  if (touches.some(({ how }) => how === 'changes')) return jobs.length + waits * slowly
  return followers.length === 0 ? 0 : jobs.length / sideBySide + Math.min(waits, 1) * slowly
}

/** The jobs of a queue; where each of them needs the thing for itself, those of a batch together and in their own order. */
function inBatches(queue: Job[], place: ReadonlyMap<Job, number>): Job[] {
  const alone = queue[0]?.touches.some(({ how }) => how === 'changes')
  if (!alone) return queue
  const inPlace = (batch: Job[]) => batch.sort((a, b) => (place.get(a) ?? 0) - (place.get(b) ?? 0))
  return [...groupBy(queue, ({ batch }) => batch).values()].flatMap(inPlace)
}

/** What the running jobs touch. */
class Held {
  readonly #counts = new Map<string, { readonly touch: Touch; count: number }>()

  permits(touches: readonly Touch[]): boolean {
    return touches.every((touch) => [...this.#counts.values()].every((held) => agree(held.touch, touch)))
  }

  take(touches: readonly Touch[]): void {
    for (const touch of touches) {
      const held = this.#counts.get(keyOf(touch)) ?? { touch, count: 0 }
      held.count += 1
      this.#counts.set(keyOf(touch), held)
    }
  }

  /** True when nobody touches one of them any more. */
  free(touches: readonly Touch[]): boolean {
    let gone = false
    for (const touch of touches) {
      const held = this.#counts.get(keyOf(touch))
      if (!held) continue
      held.count -= 1
      if (held.count === 0) gone = this.#counts.delete(keyOf(touch)) || gone
    }
    return gone
  }
}

function keyOf({ what, how }: Touch): string {
  return `${how} ${what}`
}

/** The same items in an order that the seed decides (Fisher and Yates, mulberry32). */
function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
  const result = [...items]
  let state = seed
  const random = () => {
    state = (state + 0x6d2b79f5) | 0
    const a = Math.imul(state ^ (state >>> 15), 1 | state)
    const b = (a + Math.imul(a ^ (a >>> 7), 61 | a)) ^ a
    return ((b ^ (b >>> 14)) >>> 0) / 2 ** 32
  }
  for (let index = result.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1))
    ;[result[index], result[other]] = [result[other] as Item, result[index] as Item]
  }
  return result
}
