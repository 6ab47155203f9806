import { endpointLabel } from '../../../spec/endpoints.ts'
import type { Caller } from '../../exchange/caller.ts'
import { type Exchange, remainingOf } from '../../exchange/exchange.ts'
import { NoResponse } from '../../exchange/no-response.ts'
import type { RequestSpec } from '../../exchange/request-spec.ts'
import { resetDelayOf, statedWait } from '../../exchange/retry.ts'
import type { Clock } from '../time/clock.ts'

/** How long a request may wait for its caller's quota. */
interface WaitLimits {
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly maxRetryWaitSeconds: number
}

/** When a quota has at most this many requests left, only controls are sent, because many checks need them. */
const reserve = 6

/** When a quota has at most this many requests left, no `extra` request is sent. */
const plenty = 500

/** The quota of one caller. Times are milliseconds of the run's clock. */
interface Balance {
  readonly left: number
  /** When the quota is reset. */
  readonly renewed: number
  /** The number was larger before: a target may send 0 in every response. */
  readonly counted: boolean
}

/** The quota of each caller, as far as the target states it (readings H6). */
export class CallerQuota {
  readonly #until = new Map<string, number>()
  readonly #balances = new Map<string, Balance>()
  /** The callers and endpoints that were throttled each time, in spite of every wait. */
  readonly #refused = new Set<string>()

  /** Learns from each response when its caller may send again, and how many requests are left. */
  learnFrom(as: Caller, response: Exchange, now: number): void {
    const payer = payerOf(as)
    const left = remainingOf(response)
    const counted = this.#balances.get(payer)?.counted === true || (left ?? 0) > reserve
    if (left !== undefined) this.#balances.set(payer, { left, renewed: now + (resetDelayOf(response, now) ?? 0), counted })
    const told = response.throttled ? statedWait(response, now) : undefined
    if (told !== undefined) this.#until.set(payer, Math.max(now + told, this.#until.get(payer) ?? 0))
  }

  /** Waits for as long as the target stated. Throws {@link NoResponse} if that is too long, or if the rest of the quota is reserved. */
  async admit({ as, endpoint, control, extra }: RequestSpec, request: string, limits: WaitLimits): Promise<void> {
    const { clock, signal, maxRetryWaitSeconds } = limits
    const refuse = (why: string, until?: string) => {
      const throttled = { caller: as.label, ...(until === undefined ? {} : { until }) }
      throw new NoResponse(`${request}: not sent, because the caller ${as.label} ${why}`, { throttled, unsent: true })
    }
    const now = clock.now()
    const longest = now + maxRetryWaitSeconds * 1000
    if (this.#refused.has(`${payerOf(as)} ${endpointLabel(endpoint)}`)) refuse('is throttled here after each wait')
    const { counted, left, renewed } = this.#balances.get(payerOf(as)) ?? { counted: false, left: 0, renewed: 0 }
    if (!control && counted && left <= (extra ? plenty : reserve) && renewed > longest)
      refuse(`has few requests left, which are kept for ${extra ? 'other checks' : 'controls'}`)
    const until = this.waitsUntil(as, now)
    if (until === undefined) return
    const time = new Date(until).toISOString()
    if (until > longest) refuse(`is told to wait until ${time}`, time)
    await clock.sleep(until - now, signal)
  }

  /** The number of requests left for a caller, as the target stated it last. Undefined if it states none. */
  leftFor(as: Caller): number | undefined {
    return this.#balances.get(payerOf(as))?.left
  }

  /** When a caller may send again; undefined for a caller that need not wait. */
  waitsUntil(as: Caller, now: number): number | undefined {
    const until = this.#until.get(payerOf(as)) ?? 0
    return until > now ? until : undefined
  }

  /** Records that each repetition of a request was throttled. */
  markThrottled(as: Caller, endpoint: string): void {
    this.#refused.add(`${payerOf(as)} ${endpoint}`)
  }
}

/** Callers without a token differ in their label: the quota of the target is not that of its archive addresses. */
const payerOf = ({ secret, label }: Caller) => secret ?? label
