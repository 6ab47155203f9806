import { NoAnswer } from '../exchange/no-answer.ts'

/** Aborts a request when its time has passed or the run is interrupted. */
export class RequestDeadline {
  readonly #controller = new AbortController()
  readonly #runSignal: AbortSignal | undefined
  readonly #timer: NodeJS.Timeout

  /** `time` in milliseconds. */
  constructor(time: number, runSignal: AbortSignal | undefined) {
    this.#runSignal = runSignal
    this.#timer = setTimeout(
      () => this.#controller.abort(new NoAnswer(`no complete answer within ${time / 1000} s`, { timedOut: true })),
      time,
    )
    runSignal?.addEventListener('abort', this.#interrupt)
  }

  /** Its reason is a `NoAnswer`, or the reason of the interruption. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Stops the timer. */
  clear(): void {
    clearTimeout(this.#timer)
    this.#runSignal?.removeEventListener('abort', this.#interrupt)
  }

  readonly #interrupt = () => this.#controller.abort(this.#runSignal?.reason)
}
