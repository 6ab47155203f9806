import type { ObservedLag } from '../../record/exchange-record.ts'
import { remembered } from '../../text/data.ts'

/** How long the first judgement looks for an effect whose lag the run does not know. Seconds. */
export const unknownLag = 3

/** The least time for an effect of a known kind in the first judgement, and for readings after the end of all confirmations. Seconds. */
const leastLook = 1

/** The least patience with an effect of a kind that the run has seen (readings G16). Seconds. */
const leastPatience = 10

/** After so many misses of a kind, the run waits no longer for it than it must. */
const missesAreKnown = 2

/** Where so many kinds of effects are missing, the first judgement reads a further kind once: the confirmation is patient with it. */
const missingAtMost = 5

/** The time for work after two others of its kind that never ended, and for each effect that began late. Seconds. */
const afterTwoMisses = 5

/** The least `polling.maxWaitSeconds` for which missing work in the background is a deviation (readings D8). Seconds. */
const leastForWork = 120

/** The time in which a request is repeated often enough for a proof. Seconds. */
const repetitionTime = 10

/** The time of a run for shorter examples of its findings. Milliseconds. */
const shorteningTime = 20_000

/** The lags of one kind of effect in a run. */
interface Kind {
  seen: number
  missed: number
  /** How often work was left to the confirmation. */
  left: number
  /** Seconds. */
  slowest: number
  /** When the run first waited for it with the whole patience. Milliseconds. */
  since?: number
  /** The work of the target, such as an export. */
  isWork?: boolean
}

/**
 * Knows how late the effects of a target are, by their kind: the same operation, looked at in the same way (readings G16). The
 * versions of a run share it.
 */
export class Patience {
  /** `polling.maxWaitSeconds`: the longest patience with an effect. */
  readonly longest: number
  readonly #kinds = new Map<string, Kind>()
  /** The effects whose proof is a repetition. */
  readonly #repetitions = new Set<string>()
  #end = Number.POSITIVE_INFINITY
  /** When the run first looked for a shorter example. Milliseconds. */
  #shortenedSince?: number

  constructor(longest: number) {
    this.longest = longest
  }

  /**
   * How long the first judgement looks for an effect: three times its slowest lag, if the run knows one. Once an effect of its kind
   * was left to the confirmation, another one may be left sooner. Seconds.
   */
  expected(name: string) {
    const { seen, missed, left, slowest } = this.#kindOf(name)
    const lags = left + missed > 0 ? 1 : 3
    if (seen > 0) return Math.min(Math.max(lags * slowest, leastLook), this.longest)
    const isHopeless = missed + left >= missesAreKnown || this.#countMissing() >= missingAtMost
    return isHopeless ? 0 : Math.min(unknownLag, this.longest)
  }

  /** The number of kinds of effects that the run looked for in vain. */
  #countMissing() {
    return [...this.#kinds.values()].filter(
      ({ seen, missed, left }) => seen === 0 && missed + left > 0,
    ).length
  }

  /** How long an effect may take before its absence is a deviation, for readings that began at an instant. Seconds. */
  whole(name: string, began: number) {
    const { seen, slowest } = this.#kindOf(name)
    if (seen === 0) return this.#withFirst(name, began)
    return this.#after(slowest)
  }

  #after(slowest: number) {
    return Math.min(Math.max(20 * slowest, leastPatience), this.longest)
  }

  /** How old the responses to an operation may be, from its effects that the run has seen. Seconds. */
  ofOperation(operation: string) {
    const kinds = [...this.#kinds].flatMap(([name, kind]) =>
      name.startsWith(`${operation}: `) ? [kind] : [],
    )
    if (kinds.every(({ seen }) => seen === 0)) return this.longest
    const slowest = Math.max(...kinds.map((kind) => kind.slowest))
    return this.#after(slowest)
  }

  /** How long work in the background may take. After two that never ended, each further one gets as long as usual, or a few seconds. Seconds. */
  forWork(name: string, began: number) {
    const kind = this.#kindOf(name)
    kind.isWork = true
    const { seen, missed } = kind
    if (missed < missesAreKnown) return seen === 0 ? this.#withFirst(name, began) : this.longest
    return seen === 0 ? this.#leastTime() : this.whole(name, began)
  }

  /** How long the confirmation of an effect will probably take. Seconds. */
  probably(name: string) {
    if (this.isRepeated(name)) return repetitionTime
    const { seen, slowest } = this.#kindOf(name)
    return seen === 0 ? this.longest : Math.min(2 * slowest + leastLook, this.longest)
  }

  /** All confirmations of the run end then, or later by the slowest work that the run has seen: an effect may need its end first. Milliseconds. */
  endConfirmations(at: number) {
    const work = [...this.#kinds.values()].filter(({ isWork }) => isWork)
    this.#end = at + 1000 * Math.max(0, ...work.map(({ slowest }) => slowest))
  }

  /** The time until the end of all confirmations, for readings that began at an instant. Seconds. */
  untilEnd(began: number) {
    return (this.#end - began) / 1000
  }

  /** False where the configured time is too short for work in the background. */
  get sufficesForWork() {
    return this.longest >= leastForWork
  }

  /** False once the run has looked for shorter examples long enough. All of them share the time. */
  mayShorten(now: number) {
    this.#shortenedSince ??= now
    return now < this.#shortenedSince + shorteningTime
  }

  /** The whole patience with an effect, as far as the run has time. Readings that began too late still get a second. Seconds. */
  inTime(name: string, began: number) {
    return Math.min(this.whole(name, began), this.longestInTime(began))
  }

  /** The longest wait of the run from an instant on. Seconds. */
  longestInTime(began: number) {
    return Math.min(this.longest, Math.max(this.untilEnd(began), leastLook))
  }

  /** The longest pause of the run from an instant on, for an effect that no response shows. It may end some seconds after the others. Seconds. */
  longestPause(now: number) {
    return Math.min(this.longest, Math.max(this.untilEnd(now) + leastPatience, leastLook))
  }

  /**
   * All waits for an effect that no request has shown yet end together, so that they cost the run one patience. Once it is over, a
   * further wait takes a few seconds, and less at the end of the run.
   */
  #withFirst(name: string, began: number) {
    const kind = this.#kindOf(name)
    kind.since ??= began
    const left = this.longest - (began - kind.since) / 1000
    return Math.max(left, Math.min(this.#leastTime(), this.longestInTime(began)))
  }

  #leastTime() {
    return Math.min(afterTwoMisses, this.longest)
  }

  /** Notes that an effect was seen so many seconds after its first reading. */
  appeared(name: string, seconds: number) {
    const kind = this.#kindOf(name)
    kind.seen += 1
    kind.slowest = Math.max(kind.slowest, seconds)
  }

  /** Notes that an effect was not seen. */
  missed(name: string) {
    this.#kindOf(name).missed += 1
  }

  /** Notes that work was left to the confirmation. */
  left(name: string) {
    this.#kindOf(name).left += 1
  }

  /** True for an effect whose proof is a repetition. */
  isRepeated(name: string) {
    return this.#repetitions.has(name)
  }

  /** Notes that the repetition of a request was left to the confirmation. */
  leftRepetition(name: string) {
    this.#repetitions.add(name)
  }

  /** The observed lags, the slowest first. */
  lags(): ObservedLag[] {
    const rows = [...this.#kinds].map(([effect, { seen, missed, slowest }]) => ({
      effect,
      seen,
      missed,
      slowest,
    }))
    return rows.sort((a, b) => b.slowest - a.slowest || b.missed - a.missed)
  }

  #kindOf(name: string): Kind {
    return remembered(this.#kinds, name, () => ({ seen: 0, missed: 0, left: 0, slowest: 0 }))
  }
}
