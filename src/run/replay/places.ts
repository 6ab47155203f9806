import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { redactedRequest } from '../../http/exchange/exchange.ts'
import type { WireRequest } from '../../http/exchange/wire.ts'
import type { Redactor } from '../../http/redaction/redaction.ts'
import type { LaneName } from '../../record/lane-name.ts'
import type { Place, RecordedRequest } from './format.ts'

const scopes = new AsyncLocalStorage<string>()

/**
 * Names the events of one lane so that a replay finds each again whatever order its checks run in: by the check or the shared
 * reading that they belong to, by what is asked, and by their number among those alike.
 */
export class Places {
  readonly #lane: LaneName
  readonly #redactor: Redactor
  readonly #counts = new Map<string, number>()

  constructor(lane: LaneName, redactor: Redactor) {
    this.#lane = lane
    this.#redactor = redactor
  }

  /** The check or shared reading that is at work. */
  get scope(): string {
    return scopes.getStore() ?? ''
  }

  within<Result>(scope: string, work: () => Result, wire?: WireRequest): Result {
    const name = this.#redactor.redact(scope)
    return scopes.run(wire ? `${name} ${digest(this.request(wire))}` : name, work)
  }

  /** A request without secrets: what it is kept and found by. */
  request(wire: WireRequest): RecordedRequest {
    return redactedRequest(wire, this.#redactor)
  }

  /** The place of the next event of a kind; `taken` counts it. */
  next(what: unknown, taken = true): Place {
    const place = { lane: this.#lane, scope: this.scope, n: 0 }
    const key = keyOf(place, what)
    const n = (this.#counts.get(key) ?? 0) + 1
    if (taken) this.#counts.set(key, n)
    return { ...place, n }
  }
}

/** What tells an event from all others, in few characters. */
export function keyOf({ lane, scope, n }: Place, what: unknown): string {
  return digest([lane, scope, n, what])
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22)
}
