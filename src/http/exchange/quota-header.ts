import type { HeaderLine } from '../../record/exchange-record.ts'

/** The part of an answer that says what is left of a quota. */
interface Answer {
  readonly status: number
  readonly headers: readonly HeaderLine[]
}

/** The names under which servers report what is left of a quota; the document names none. */
const named = /^(x-)?ratelimit-remaining$/i

/** Served answers with an empty quota after which it is known to mean nothing: a counted one is empty only once before it refuses. */
const enough = 3

/** What the quota headers of one target are worth (readings H6). */
export class QuotaHeaders {
  #servedEmpty = 0
  #counted = false

  /** Learns from an answer. */
  see(answer: Answer): void {
    const quota = quotaOf(answer)
    if (quota === 'left') this.#counted = true
    if (quota === 'empty' && answer.status < 300) this.#servedEmpty += 1
  }

  /** True where an answer reports an empty quota, on a target that did not report the same on whatever it served. */
  isSpent(answer: Answer): boolean {
    return quotaOf(answer) === 'empty' && (this.#counted || this.#servedEmpty < enough)
  }
}

function quotaOf({ headers }: Answer): 'empty' | 'left' | undefined {
  const left = headers.flatMap(([name, value]) => {
    if (named.test(name)) return [value.trim()]
    return name.toLowerCase() === 'ratelimit' ? [...value.matchAll(/\br=(\d+)/g)].map(([, rest]) => rest) : []
  })
  if (left.length === 0) return undefined
  return left.includes('0') ? 'empty' : 'left'
}
