import type { Exchange } from './exchange/exchange.ts'
import { isLarge } from './transport/large-bodies.ts'

/** The most bytes of bodies that are kept for later readers; the oldest reads are let go first. */
const keptBytes = 64 * 1024 * 1024

/** What a body takes while it is held: a large one is seldom held without its text. Bytes. */
function heldBy(size: number): number {
  return isLarge(size) ? 2 * size : size
}

/** The reads of a run that several checks share, by what was asked. A target may answer with large bodies, so not all are kept. */
export class SharedReads {
  readonly #reads = new Map<string, Promise<Exchange>>()
  readonly #sizes = new Map<string, number>()
  #bytes = 0

  of(key: string): Promise<Exchange> | undefined {
    return this.#reads.get(key)
  }

  /** Notes a read that has begun. */
  add(key: string, read: Promise<Exchange>): void {
    this.#reads.set(key, read)
    void read.then(
      ({ length }) => this.#answered(key, read, heldBy(length)),
      () => undefined,
    )
  }

  /** Lets go of large bodies. */
  letGo(): void {
    for (const [key, size] of this.#sizes) if (isLarge(size)) this.#remove(key, size)
  }

  clear(): void {
    this.#reads.clear()
    this.#sizes.clear()
    this.#bytes = 0
  }

  #answered(key: string, read: Promise<Exchange>, size: number): void {
    if (this.#reads.get(key) !== read) return
    this.#sizes.set(key, size)
    this.#bytes += size
    for (const [oldest, its] of this.#sizes) {
      if (this.#bytes <= keptBytes) return
      this.#remove(oldest, its)
    }
  }

  #remove(key: string, size: number): void {
    this.#sizes.delete(key)
    this.#reads.delete(key)
    this.#bytes -= size
  }
}
