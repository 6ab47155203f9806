/** Bounds how many checks work at once; a check that only waits gives its slot to another. */
export class Slots {
  #most: number
  #count: number
  /** Below nothing while more work than may since the slots became fewer. */
  #free: number
  /** Those who wait, by rank. */
  readonly #waiting: (() => void)[][] = []

  /** At most `most` slots, of which `begin` are open at first. */
  constructor(most: number, begin = most) {
    this.#most = most
    this.#count = begin
    this.#free = begin
  }

  /** Opens one more slot, and leaves at most so many; what works in one of the others goes on until it ends or waits. */
  adapt(most: number): void {
    this.#most = Math.min(this.#most, most)
    const count = Math.min(this.#count + 1, this.#most)
    const opened = count - this.#count
    this.#count = count
    if (opened > 0) this.#give()
    else this.#free += opened
  }

  /** Works in a slot; among those who wait for one, a lower rank comes first. */
  async occupy<Result>(work: () => Promise<Result>, rank = 1): Promise<Result> {
    await this.#take(rank)
    try {
      return await work()
    } finally {
      this.#give()
    }
  }

  /** Runs something that only waits; to be called while a slot is occupied. What was begun goes on before anything else begins. */
  async vacate<Result>(wait: () => Promise<Result>): Promise<Result> {
    this.#give()
    try {
      return await wait()
    } finally {
      await this.#take(0)
    }
  }

  async #take(rank: number): Promise<void> {
    if (this.#free > 0) this.#free -= 1
    else
      await new Promise<void>((resolve) => {
        this.#waiting[rank] ??= []
        this.#waiting[rank].push(resolve)
      })
  }

  #give(): void {
    const waiting = this.#free < 0 ? undefined : this.#waiting.find((queue) => queue !== undefined && queue.length > 0)
    const next = waiting?.shift()
    if (next) next()
    else this.#free += 1
  }
}
