import type { Exchange } from './exchange/exchange.ts'

/** The most bytes of bodies that are kept for later readers; the oldest reads are removed first. */
const keptBytes = 64 * 1024 * 1024

/** The reads that several checks share, by request. */
export class SharedReads {
  readonly #reads = new Map<string, Promise<Exchange>>()
  readonly #sizes = new Map<string, number>()
  #bytes = 0

  get(key: string): Promise<Exchange> | undefined {
    return this.#reads.get(key)
  }

  /** Keeps a read that has begun; a failed one stays, so that it is not repeated. */
  add(key: string, read: Promise<Exchange>): void {
    this.#reads.set(key, read)
    read.then(
      ({ length }) => this.#completed(key, read, length),
      () => undefined,
    )
  }

  clear(): void {
    this.#reads.clear()
    this.#sizes.clear()
    this.#bytes = 0
  }

  #completed(key: string, read: Promise<Exchange>, size: number): void {
    if (this.#reads.get(key) !== read) return
    this.#sizes.set(key, size)
    this.#bytes += size
    for (const [oldest, bytes] of this.#sizes) {
      if (this.#bytes <= keptBytes) return
      this.#sizes.delete(oldest)
      this.#reads.delete(oldest)
      this.#bytes -= bytes
    }
  }
}
