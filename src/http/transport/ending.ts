import { NoAnswer } from '../exchange/no-answer.ts'

/** Ends a request when its time is over or the run is; one at a time. */
export class Ending {
  /** Why it was ended. */
  reason: Error | undefined
  readonly #signal: AbortSignal | undefined
  readonly #timer: NodeJS.Timeout
  #giveUp: ((reason: Error) => void) | undefined

  /** `time` in milliseconds. */
  constructor(time: number, signal: AbortSignal | undefined) {
    this.#signal = signal
    this.#timer = setTimeout(() => this.#end(new NoAnswer(`no complete answer within ${time / 1000} s`, { timeout: true })), time)
    signal?.addEventListener('abort', this.#aborted)
  }

  /** States how the request that is under way is given up. */
  is(giveUp: (reason: Error) => void): void {
    this.#giveUp = giveUp
  }

  over(): void {
    clearTimeout(this.#timer)
    this.#signal?.removeEventListener('abort', this.#aborted)
  }

  readonly #aborted = () => this.#end(this.#signal?.reason)

  #end(reason: Error): void {
    this.reason ??= reason
    this.#giveUp?.(reason)
  }
}
