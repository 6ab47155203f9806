import type { Exchange } from '../../http/exchange/exchange.ts'
import type { Redactor } from '../../http/redaction/redaction.ts'
import type { ExchangeRecord } from '../../record/exchange-record.ts'

/** Which bodies a report keeps. */
type KeptBodies = 'failures' | 'all' | 'none'

/** The most bytes of different bodies that are kept for later checks; exchanges with other bodies are not kept after that. */
const lookedUpBytes = 64 * 1024 * 1024

/** How exchanges are kept. */
interface LogOptions {
  readonly bodies: KeptBodies
  /** The longest body of a record. Characters. */
  readonly bodyCharacters: number
  /** The endpoints whose exchanges a check may look up later; all unless given. */
  readonly lookedUp?: ReadonlySet<string> | undefined
}

/** The exchanges of one version: the report's records of those that checks used, and whole exchanges for later checks. */
export class ExchangeLog {
  readonly #redactor: Redactor
  readonly #options: LogOptions
  readonly #records = new Map<string, { readonly record: ExchangeRecord; readonly withBody: boolean }>()
  readonly #byEndpoint = new Map<string, Exchange[]>()
  readonly #bodies = new Set<Buffer>()
  #bytes = 0

  constructor(redactor: Redactor, options: LogOptions) {
    this.#redactor = redactor
    this.#options = options
  }

  /** Notes an exchange that has just ended. */
  add(exchange: Exchange): void {
    const { endpoint } = exchange.request
    if (this.#options.lookedUp && !this.#options.lookedUp.has(endpoint)) return
    const { body } = exchange.response
    if (!this.#bodies.has(body)) {
      if (this.#bytes + body.length > lookedUpBytes) return
      this.#bodies.add(body)
      this.#bytes += body.length
    }
    const known = this.#byEndpoint.get(endpoint) ?? []
    known.push(exchange)
    this.#byEndpoint.set(endpoint, known)
  }

  /** The exchanges of an endpoint so far, as far as they may be looked up. */
  of(endpoint: string): readonly Exchange[] {
    return this.#byEndpoint.get(endpoint) ?? []
  }

  /** Writes down the exchanges that a check used; a check that did not pass also needs their bodies. */
  keep(exchanges: Iterable<Exchange>, passed: boolean): void {
    const { bodies, bodyCharacters } = this.#options
    const withBody = bodies === 'all' || (bodies === 'failures' && !passed)
    for (const exchange of exchanges) {
      const known = this.#records.get(exchange.id)
      if (known && (known.withBody || !withBody)) continue
      const record = exchange.record(this.#redactor, withBody ? bodyCharacters : 0)
      this.#records.set(exchange.id, { record, withBody })
    }
  }

  /** The report's records of the exchanges that checks used. */
  get records(): ExchangeRecord[] {
    return [...this.#records.values()].map(({ record }) => record)
  }

  /** Ends all looking up. */
  close(): void {
    this.#byEndpoint.clear()
    this.#bodies.clear()
  }
}
