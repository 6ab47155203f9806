import { inScope } from '../../http/transport/scope.ts'

/** Lets seconds pass on the target. */
type Move = (seconds: number) => Promise<unknown>

/** Lets seconds pass on the target, together with others who ask for the same. */
export type PassTime = (seconds: number, move: Move) => Promise<unknown>

interface Asking {
  readonly order: number
  readonly until: number
  readonly move: Move
  readonly passed: (given: unknown) => void
  readonly failed: (reason: unknown) => void
}

/**
 * Moves the target's clock for checks that run side by side: when each of them waits for it or has ended, and only as far as
 * the first of them asked for. So each sees as much time pass as it asked for, and its own preparations take time beside others.
 */
export class SharedClock {
  #begun = false
  #moving = false
  #running = 0
  #now = 0
  #asking: Asking[] = []
  readonly #signal: AbortSignal

  constructor(signal: AbortSignal) {
    this.#signal = signal
    signal.addEventListener('abort', () => this.#fail(signal.reason), { once: true })
  }

  /** Nothing is left that the clock could disturb. */
  begin(): void {
    this.#begun = true
    this.#moveOn()
  }

  /** So many checks will run that may move the clock; each has to say when it has ended. */
  expect(checks: number): void {
    this.#running += checks
  }

  ended(): void {
    this.#running -= 1
    this.#moveOn()
  }

  /** How those of one lane let time pass; the lane with the lowest `order` asks the target for all. */
  passingFor(order: number): PassTime {
    return (seconds, move) =>
      new Promise((passed, failed) => {
        this.#signal.throwIfAborted()
        const alone: Move = (step) => inScope('advance-clock', () => move(step))
        this.#asking.push({ order, until: this.#now + seconds, move: alone, passed, failed })
        this.#moveOn()
      })
  }

  #moveOn(): void {
    if (!this.#begun || this.#moving || this.#asking.length === 0 || this.#asking.length < this.#running) return
    this.#moving = true
    const until = Math.min(...this.#asking.map((each) => each.until))
    const [first] = this.#asking.toSorted((a, b) => a.order - b.order)
    first?.move(until - this.#now).then(
      (given) => this.#arrive(until, given),
      (reason) => this.#fail(reason),
    )
  }

  #arrive(until: number, given: unknown): void {
    this.#moving = false
    this.#now = until
    const there = this.#asking.filter((each) => each.until <= until)
    this.#asking = this.#asking.filter((each) => each.until > until)
    for (const { passed } of there) passed(given)
  }

  #fail(reason: unknown): void {
    this.#moving = false
    for (const { failed } of this.#asking.splice(0)) failed(reason)
  }
}
