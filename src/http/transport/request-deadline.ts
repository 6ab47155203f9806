import { NoAnswer } from '../exchange/no-answer.ts'

/** Ends a request when its time has passed or the run is interrupted. */
export class RequestDeadline {
  /** Why the request was ended; undefined while it may continue. */
  reason: Error | undefined
  readonly #signal: AbortSignal | undefined
  readonly #timer: NodeJS.Timeout
  #expire: ((reason: Error) => void) | undefined

  /** `time` in milliseconds. */
  constructor(time: number, signal: AbortSignal | undefined) {
    this.#signal = signal
    this.#timer = setTimeout(() => this.#end(new NoAnswer(`no complete answer within ${time / 1000} s`)), time)
    signal?.addEventListener('abort', this.#abort)
  }

  /** Sets the function that ends the present attempt; it replaces the former one. */
  onExpire(expire: (reason: Error) => void): void {
    this.#expire = expire
  }

  /** Stops the timer. */
  clear(): void {
    clearTimeout(this.#timer)
    this.#signal?.removeEventListener('abort', this.#abort)
  }

  readonly #abort = () => this.#end(this.#signal?.reason)

  #end(reason: Error): void {
    this.reason ??= reason
    this.#expire?.(reason)
  }
}
