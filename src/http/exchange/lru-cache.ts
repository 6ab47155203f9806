/** A map that drops the least recently used entries beyond a total size. The latest entry and entries of size 0 stay. */
export class LruCache<Value> {
  readonly #limit: number
  readonly #entries = new Map<string, { readonly value: Value; readonly size: number }>()
  #size = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** The value of a key, which then counts as the latest used one; undefined for an unknown key. */
  get(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry && this.#entries.delete(key)) this.#entries.set(key, entry)
    return entry?.value
  }

  /** Adds a value, or replaces one with another size. */
  set(key: string, value: Value, size: number): void {
    this.#size += size - (this.#entries.get(key)?.size ?? 0)
    this.#entries.delete(key)
    this.#entries.set(key, { value, size })
    for (const [oldest, entry] of this.#entries) {
      if (this.#size <= this.#limit || oldest === key) return
      if (entry.size === 0) continue
      this.#entries.delete(oldest)
      this.#size -= entry.size
    }
  }

  /** Removes all entries. */
  clear(): void {
    this.#entries.clear()
    this.#size = 0
  }
}
