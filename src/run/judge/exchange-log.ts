import type { Config } from '../../config/config.ts'
import { type Exchange, sizeOf } from '../../http/exchange/exchange.ts'
import type { Redactor } from '../../http/redaction/redaction.ts'
import type { ExchangeRecord } from '../../record/exchange-record.ts'
import type { Outcome } from '../../record/reason.ts'
import { remembered } from '../../text/data.ts'

/** The most bytes of exchanges that are kept for later checks: together of those above 64 KiB, and together of the others. */
const lookedUpBytes = { long: 40 * 1024 * 1024, short: 48 * 1024 * 1024 }

/** The most bytes of headers and bodies of responses in the records of a version. */
const recordedBytes = 8 * 1024 * 1024

/** How much of an exchange a report keeps: 0 its request line and status, 1 also its header lines, 2 also its bodies. */
type Depth = 0 | 1 | 2

function depthOf(outcome: Outcome, bodies: LogOptions['bodies']) {
  if (bodies === 'all') return 2
  if (outcome === 'passed' || outcome === 'inapplicable') return 0
  return bodies === 'none' || outcome === 'untested' ? 1 : 2
}

interface LogOptions extends Pick<Config['report'], 'bodies' | 'bodyCharacters'> {
  /** The endpoints whose exchanges a check may look up later; all unless given. */
  readonly lookedUp?: ReadonlySet<string> | undefined
}

/** The exchanges of one version: the report's records of those that checks used, and whole exchanges for later checks. */
export class ExchangeLog {
  readonly #redactor: Redactor
  readonly #options: LogOptions
  /** The records as JSON outside the heap, because the process takes several times the memory of the heap. */
  readonly #records = new Map<string, { readonly json: Buffer; readonly depth: Depth }>()
  readonly #byEndpoint = new Map<string, Exchange[]>()
  readonly #bodies = new Set<string>()
  #bytes = 0
  #recorded = 0

  constructor(redactor: Redactor, options: LogOptions) {
    this.#redactor = redactor
    this.#options = options
  }

  /** Notes an exchange that has just ended. */
  add(exchange: Exchange) {
    const { bodyHash, head, length, request } = exchange
    if (this.#options.lookedUp && !this.#options.lookedUp.has(request.endpoint)) return
    const bytes = head.length + (this.#bodies.has(bodyHash) ? 0 : length)
    if (this.#bytes + bytes > lookedUpBytes[bytes < 64 * 1024 ? 'short' : 'long']) return
    this.#bodies.add(bodyHash)
    this.#bytes += bytes
    remembered(this.#byEndpoint, request.endpoint, () => []).push(exchange)
  }

  /** The recorded exchanges of an endpoint that later checks may look up. */
  of(endpoint: string): readonly Exchange[] {
    return this.#byEndpoint.get(endpoint) ?? []
  }

  /** Records the exchanges of a check. The records of a check that did not pass include header lines and bodies. */
  keep(exchanges: Iterable<Exchange>, outcome: Outcome) {
    const depth = depthOf(outcome, this.#options.bodies)
    for (const exchange of exchanges) {
      if ((this.#records.get(exchange.id)?.depth ?? -1) >= depth) continue
      const characters = this.#recorded > recordedBytes ? 0 : this.#options.bodyCharacters
      const record = exchange.record(this.#redactor, [undefined, 0, characters][depth])
      const { status, bodyBytes, headers = [], body = '' } = record.response
      this.#recorded += sizeOf(headers) + body.length
      // Beyond the budget a record has its request, which can be repeated, and the outline of its response.
      const kept =
        this.#recorded > recordedBytes ? { ...record, response: { status, bodyBytes } } : record
      this.#records.set(exchange.id, { json: Buffer.from(JSON.stringify(kept)), depth })
    }
  }

  /** The report's records of the exchanges that checks used. */
  get records(): ExchangeRecord[] {
    return [...this.#records.values()].map(({ json }) => JSON.parse(json.toString()))
  }

  /** Forgets the exchanges that were kept for later checks. */
  close() {
    this.#byEndpoint.clear()
    this.#bodies.clear()
  }
}
