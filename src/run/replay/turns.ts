/**
 * Lets events happen in the order of a recorded run: of those that are waited for, the earliest comes first, and nothing else
 * happens until its consequences have been drawn.
 */
export class Turns {
  readonly #waiting: { readonly at: number; readonly go: () => void }[] = []
  #last = 0

  /** Resolves when it is the turn of an event; one that was not recorded follows what has happened so far. */
  take(at: number = this.#last): Promise<void> {
    return new Promise((go) => {
      const before = this.#waiting.findIndex((other) => other.at > at)
      this.#waiting.splice(before < 0 ? this.#waiting.length : before, 0, { at, go })
      if (this.#waiting.length === 1) setImmediate(() => this.#next())
    })
  }

  #next(): void {
    const next = this.#waiting.shift()
    if (!next) return
    this.#last = Math.max(this.#last, next.at)
    next.go()
    if (this.#waiting.length > 0) setImmediate(() => this.#next())
  }
}
