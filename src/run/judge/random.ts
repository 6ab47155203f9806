import { createHash } from 'node:crypto'
import { currentScope } from '../../http/transport/time/scope.ts'

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

/** Names that no object has. They follow from the check and from `run`, so that a replay makes the same names. */
export function unusedNames(run: string): (prefix: string) => string {
  const counts = new Map<string, number>()
  return (prefix) => {
    const scope = currentScope()
    const n = (counts.get(scope) ?? 0) + 1
    counts.set(scope, n)
    const digest = createHash('sha256').update(JSON.stringify([run, scope, n]))
    return `${prefix}${digest.digest('hex').slice(0, 12)}`
  }
}
