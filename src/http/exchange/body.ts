import { NoAnswer } from './no-answer.ts'

/** The largest body that is read unless `limits.bodyBytes` says otherwise; a longer one ends the exchange. Bytes. */
export const bodyBudget = 16 * 1024 * 1024

/** Bodies of a stated length from here on are read into place: gathered pieces take their memory twice. Bytes. */
const readIntoPlace = 1024 * 1024

/** Gathers a body of at most `limit` bytes from its pieces; `stated` is its length in bytes where the answer states one. */
export class GatheredBody {
  readonly #limit: number
  readonly #place: Buffer | undefined
  readonly #chunks: Buffer[] = []
  #length = 0

  constructor(limit: number, stated = 0) {
    this.#limit = limit
    this.#place = stated >= readIntoPlace && stated <= limit ? Buffer.allocUnsafeSlow(stated) : undefined
  }

  /** Throws {@link NoAnswer} when the body has become too long. */
  add(chunk: Buffer): void {
    if (this.#length + chunk.length > this.#limit) {
      throw new NoAnswer(`the body is longer than ${this.#limit} bytes`, { final: true })
    }
    if (this.#place) chunk.copy(this.#place, this.#length)
    else this.#chunks.push(chunk)
    this.#length += chunk.length
  }

  get bytes(): Buffer {
    return this.#place ? this.#place.subarray(0, this.#length) : Buffer.concat(this.#chunks)
  }
}
