import type { HeaderLine } from '../../record/exchange-record.ts'

type Answer = { readonly status: number; readonly headers: readonly HeaderLine[] }

/** Header names that report the remaining quota. The document defines none. */
const remainingHeader = /^(x-)?ratelimit-remaining$/i

/** After so many served responses with an empty quota, the header is meaningless: a real quota refuses the next request. */
const mostServedEmpty = 3

/** Learns whether the quota headers of a target are meaningful (readings H6). */
export class QuotaHeaders {
  #servedEmpty = 0
  #counted = false

  see(answer: Answer): void {
    const quota = quotaOf(answer)
    if (quota === 'left') this.#counted = true
    if (quota === 'empty' && answer.status < 300) this.#servedEmpty += 1
  }

  /** True where a response reports an empty quota, and the target does not report the same with served responses. */
  isSpent(answer: Answer): boolean {
    return quotaOf(answer) === 'empty' && (this.#counted || this.#servedEmpty < mostServedEmpty)
  }
}

function quotaOf({ headers }: Answer): 'empty' | 'left' | undefined {
  const left = headers.flatMap(([name, value]) => {
    if (remainingHeader.test(name)) return [value]
    return name.toLowerCase() === 'ratelimit' ? [...value.matchAll(/\br=(\d+)/g)].map(([, rest]) => rest) : []
  })
  if (left.length === 0) return undefined
  return left.includes('0') ? 'empty' : 'left'
}
