/** How long work that waits for nothing may go on before answers and timers have their turn. Milliseconds. */
const stretch = 10

/** Bounds how many checks work at once; a check that only waits gives its slot to another. */
export class Slots {
  #free: number
  /** Those who wait, by rank. */
  readonly #waiting: (() => void)[][] = []
  #turn = 0

  constructor(count: number) {
    this.#free = count
  }

  /** Works in a slot; among those who wait for one, a lower rank comes first. */
  async occupy<Result>(work: () => Promise<Result>, rank = 1): Promise<Result> {
    await this.#take(rank)
    try {
      await this.#breathe()
      return await work()
    } finally {
      this.#give()
    }
  }

  /** Checks that only look through answers would follow each other for seconds, and whoever waits for an answer with them. */
  async #breathe(): Promise<void> {
    if (performance.now() - this.#turn < stretch) return
    await new Promise((resolve) => setImmediate(resolve))
    this.#turn = performance.now()
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
    const next = this.#waiting.find((queue) => queue !== undefined && queue.length > 0)?.shift()
    if (next) next()
    else this.#free += 1
  }
}
