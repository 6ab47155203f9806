/** A semaphore: limits how many checks work at once, in the order of their arrival. A check that only waits leaves its slot to another. */
export class Slots {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(count: number) {
    this.#free = count
  }

  /** Resolves when the caller has a slot. */
  async acquire() {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** Returns a slot. */
  release() {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free += 1
  }

  /** Waits without the slot of the caller. */
  vacate<Result>(wait: () => Promise<Result>) {
    this.release()
    return wait().finally(() => this.acquire())
  }
}
