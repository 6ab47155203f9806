import type { HeaderLine } from '../../record/exchange-record.ts'

type ResponseHead = { readonly status: number; readonly headers: readonly HeaderLine[] }

/** Header names that report the remaining quota, and when it is reset. The document defines none. */
const remainingHeader = /^(x-)?rate-?limit-remaining(-(second|minute|hour|day))?$/i
const resetHeader = /^(x-)?rate-?limit-reset$/i

/** After so many served responses with an empty quota, the header is meaningless: a real quota refuses the next request. */
const mostServedEmpty = 3

/** Learns whether the quota headers of a target are meaningful (readings H6). */
export class QuotaHeaders {
  #servedEmpty = 0
  #counted = false

  /** Notes the quota that a response reports, and whether the request was served. */
  learnFrom(response: ResponseHead): void {
    const left = remainingOf(response) ?? Number.NaN
    if (left > 0) this.#counted = true
    if (left === 0 && response.status < 300) this.#servedEmpty += 1
  }

  /** True if a response reports an empty quota, and the target does not report the same with served responses. */
  isSpent(response: ResponseHead): boolean {
    return remainingOf(response) === 0 && (this.#counted || this.#servedEmpty < mostServedEmpty)
  }
}

/** The requests that are left in the smallest quota; undefined if no header reports them. */
export function remainingOf(response: Pick<ResponseHead, 'headers'>): number | undefined {
  const left = [...numbersOf(response, remainingHeader), ...policiesOf(response).map(({ rest }) => rest)]
  return left.length === 0 ? undefined : Math.min(...left)
}

/** When a spent quota is reset, as the header states it: seconds from now or since the epoch. */
export function resetOf(response: Pick<ResponseHead, 'headers'>): number | undefined {
  const spent = policiesOf(response).filter(({ rest, reset }) => rest === 0 && Number.isFinite(reset))
  const resets = [...numbersOf(response, resetHeader), ...spent.map(({ reset }) => reset)]
  return resets.length === 0 ? undefined : Math.max(...resets)
}

function numbersOf({ headers }: Pick<ResponseHead, 'headers'>, name: RegExp): number[] {
  return headers.flatMap(([line, value]) => (name.test(line) && /^\d+$/.test(value) ? [Number(value)] : []))
}

/** The quotas of a `RateLimit` header: `"hour";r=0;t=30`, or `limit=60, remaining=0, reset=30` in older drafts. */
function policiesOf({ headers }: Pick<ResponseHead, 'headers'>): { readonly rest: number; readonly reset: number }[] {
  const lines = headers.filter(([name]) => name.toLowerCase() === 'ratelimit')
  const quotas = lines.flatMap(([, value]) => value.split(/,(?! *re(?:maining|set)=)/))
  const member = (quota: string, key: string) => Number(new RegExp(`\\b(?:${key})=(\\d+)`).exec(quota)?.[1] ?? Number.NaN)
  const all = quotas.map((quota) => ({ rest: member(quota, 'r|remaining'), reset: member(quota, 't|reset') }))
  return all.filter(({ rest }) => Number.isFinite(rest))
}
