/** Bounds how many checks work at once; a check that only waits gives its slot to another. */
export class Slots {
  #free: number
  #waiting: (() => void)[] = []

  constructor(count: number) {
    this.#free = count
  }

  async occupy<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#take()
    try {
      return await work()
    } finally {
      this.#give()
    }
  }

  /** Runs something that only waits; to be called while a slot is occupied. */
  async vacate<Result>(wait: () => Promise<Result>): Promise<Result> {
    this.#give()
    try {
      return await wait()
    } finally {
      await this.#take()
    }
  }

  async #take(): Promise<void> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  #give(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free += 1
  }
}
