import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Bodies of this length together may be worked on at once; their texts and values take as much again. Bytes. */
const atOnce = 32 * 1024 * 1024

/** A body longer than this is a large one. Bytes. */
const large = 1024 * 1024

/** After so many bytes of large bodies the memory is tidied: the collector does not see how much lies outside its heap. */
const tidiedAfter = 12 * 1024 * 1024

/** True for the length of a body that no more should hold than need it. */
export function isLarge(length: number): boolean {
  return length > large
}

/** How many bodies of a length are worked on at once; two at least, so that one may wait for another. */
export function roomFor(length: number): number {
  return isLarge(length) ? Math.max(2, Math.floor(atOnce / length)) : Number.POSITIVE_INFINITY
}

/** Keeps the memory small where a target sends large bodies. */
export class LargeBodies {
  #bytes = 0
  #tidy: (() => void) | undefined

  /** Counts a body; once in a while, what nobody holds any more is let go. */
  note(length: number): void {
    if (isLarge(length)) this.#bytes += length
    if (this.#bytes <= tidiedAfter) return
    this.#bytes = 0
    this.#tidy ??= collector()
    this.#tidy()
  }
}

function collector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}
