import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { weightOf } from '../exchange/json-budget.ts'
import { NotSent } from '../exchange/not-sent.ts'

/** Bodies of this length together may be worked on at once; their texts and values take as much again. Bytes. */
const atOnce = 32 * 1024 * 1024

/** A body that takes more than this is a large one. Bytes. */
const large = 1024 * 1024

/** After so many bytes of large bodies the memory is tidied: the collector does not see how much lies outside its heap. */
const tidiedAfter = 12 * 1024 * 1024

/** While large bodies of more than this length are held, nothing more is sent. Bytes. */
const mostHeld = 96 * 1024 * 1024

/** So many bodies may always be held, however long `limits.bodyBytes` lets them be. */
const fewBodies = 4

/** How often it is looked whether large bodies were let go, and how many times where no answer is under way. Milliseconds. */
const looksEvery = 20
const fewLooks = 5

/** True for the length of a body that no more should hold than need it. */
export function isLarge(length: number): boolean {
  return length > large
}

/** How many bodies of a length are worked on at once; two at least, so that one may wait for another. */
export function roomFor(length: number): number {
  return isLarge(length) ? Math.max(2, Math.floor(atOnce / length)) : Number.POSITIVE_INFINITY
}

/** Keeps the memory small where a target sends large bodies. */
export class LargeBodies {
  readonly #patience: number
  readonly #held = new FinalizationRegistry<number>((length) => {
    this.#bytesHeld -= length
  })
  readonly #kept: (() => void)[] = []
  #bytesHeld = 0
  #sinceTidied = 0
  #tidy: (() => void) | undefined
  #line: Promise<unknown> = Promise.resolve()
  #underWay = 0
  #largest = 0

  /** `patience`: how long a request waits until others have let go of bodies. Milliseconds. */
  constructor(patience: number) {
    this.#patience = patience
  }

  /** Adds a way to let go of bodies that are only kept to save requests. */
  mayLetGo(letGo: () => void): void {
    this.#kept.push(letGo)
  }

  /** Counts a body for as long as somebody holds it; once in a while, what nobody holds any more is let go. */
  note(body: Buffer): void {
    const weight = weightOf(body)
    if (!isLarge(weight)) return
    this.#held.register(body.buffer, weight)
    this.#bytesHeld += weight
    this.#largest = Math.max(this.#largest, weight)
    this.#sinceTidied += weight
    if (this.#sinceTidied > tidiedAfter) this.tidy()
  }

  /** Lets go of what nobody holds any more, where any body was large. */
  tidy(): void {
    if (this.#largest === 0) return
    this.#sinceTidied = 0
    this.#collect()
  }

  /**
   * Does a request when another body may come. Where nobody lets go of enough, because all who hold bodies wait for more of them or have
   * not ended in time, `request` is told that it must not be sent.
   */
  async whenRoom<Result>(request: (full?: NotSent) => Promise<Result>): Promise<Result> {
    // One after the other: what the first one to give up held may be room for all.
    const turn = this.#line.then(() => this.#room())
    this.#line = turn
    const full = await turn
    try {
      return await request(full)
    } finally {
      this.#underWay -= 1
    }
  }

  /** Waits for room, and takes it; what is wrong where there is none. */
  async #room(): Promise<NotSent | undefined> {
    const begun = performance.now()
    for (let looked = 0; !this.#hasRoom(); looked += 1) {
      const patient = performance.now() - begun < this.#patience && (this.#underWay > 0 || looked < fewLooks)
      if (!patient) break
      for (const letGo of this.#kept) letGo()
      this.#collect()
      await delay(looksEvery)
    }
    const full = !this.#hasRoom()
    this.#underWay += 1
    return full
      ? new NotSent(
          `the answers that are being looked at take ${Math.round(this.#mostHeld / 1024 ** 2)} MiB together, the most that are held`,
          'memory-limit',
        )
      : undefined
  }

  get #mostHeld(): number {
    return Math.max(mostHeld, fewBodies * this.#largest)
  }

  #hasRoom(): boolean {
    return this.#bytesHeld + (this.#underWay + 1) * this.#largest <= this.#mostHeld
  }

  #collect(): void {
    this.#tidy ??= collector()
    this.#tidy()
  }
}

function collector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}
