import { createHash } from 'node:crypto'
import { currentScope } from '../../http/transport/scope.ts'

/** A sequence of numbers from 0 up to 1 that is the same for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Names that exist nowhere on the target. They follow from the run and the check, so that a replay makes the same. */
export class UnusedNames {
  readonly #run: string
  readonly #counts = new Map<string, number>()

  /** `run` is different for each version of each run. */
  constructor(run: string) {
    this.#run = run
  }

  next(prefix: string): string {
    const scope = currentScope()
    const n = (this.#counts.get(scope) ?? 0) + 1
    this.#counts.set(scope, n)
    const digest = createHash('sha256').update(JSON.stringify([this.#run, scope, n]))
    return `${prefix}${digest.digest('hex').slice(0, 12)}`
  }
}
