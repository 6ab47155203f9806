import type { RequestTotals } from '../record/exchange-record.ts'
import { endpointLabel, type Method } from '../spec/endpoints.ts'
import type { ApiVersion } from '../spec/versions.ts'
import { countedAs } from '../spec/words/addresses.ts'
import { defined } from '../text/data.ts'
import type { Dialect } from './dialect/dialect.ts'
import { toWireRequest } from './dialect/wire-request.ts'
import { LruCache } from './exchange/body.ts'
import { callerText } from './exchange/caller.ts'
import { Exchange, type ReceivedResponse, type WireRequest } from './exchange/exchange.ts'
import { NoResponse, NotSent } from './exchange/no-response.ts'
import { redirected } from './exchange/redirect.ts'
import type { RequestSpec } from './exchange/request-spec.ts'
import { isTransient, repeatable } from './exchange/retry.ts'
import type { Consume, Streamed } from './transport/connection/receive.ts'
import type { CallerGate, GateRequest } from './transport/limits/caller-gate.ts'
import { Traffic, type TrafficOptions, TrafficTotals } from './transport/traffic.ts'

/** How one request is sent. */
export interface SendOptions {
  /** Returns a 429 or 503 without a retry, because a conditional poll must keep the poll interval. */
  readonly once?: boolean
  /** Shares the response with all equal reads. */
  readonly shared?: boolean
  /** Counts the bytes that follow a response without a body, such as a 304. */
  readonly tapped?: boolean
  /** The request belongs to the exclusive section that is running (`Pace.exclusively`). */
  readonly exclusive?: boolean | undefined
  /** Receives every response, those of followed redirects included. */
  readonly onResponse?: ((response: Exchange) => void) | undefined
}

/** The target, the version and the limits of a client, with the parts that it shares with others. */
export interface ClientOptions extends TrafficOptions {
  readonly baseUrl: string
  readonly apiVersion: ApiVersion
  readonly dialect: Dialect
  readonly limits: TrafficOptions['limits'] & { readonly totalBytes?: number }
  readonly readOnly?: boolean
  readonly maxRequests?: number | undefined
  /** Shared with the clients of other versions; a new one unless stated. */
  readonly traffic?: Traffic | undefined
  /** Receives every completed exchange. */
  readonly onExchange?: (exchange: Exchange) => void
}

/** The most bytes of headers and bodies that are kept for later readers. */
const sharedBytes = 48 * 1024 * 1024

/** How often a streamed response is requested. Its body may be large, so it has fewer attempts than others. */
const streamAttempts = 2

/** A request on its way, with its own wish about repeats. */
type Sending = Omit<GateRequest, 'server'> & Pick<SendOptions, 'once'>

/** Sends a request once and receives its response. */
type Transfer<Result> = (wire: WireRequest) => Promise<Streamed<Result>>

/** Sends requests to one target in one API version. Safe for concurrent use. */
export class Client {
  readonly traffic: Traffic
  /** Knows when each caller may send. */
  readonly gate: CallerGate
  readonly #options: ClientOptions
  readonly counts = new TrafficTotals()
  /** The numbers of requests and of received bytes so far. */
  readonly totals: RequestTotals = this.counts.totals
  /** The shared reads by request, sized by their responses. A failed read stays, so that it is not repeated. */
  readonly #reads = new LruCache<Promise<Exchange>>(sharedBytes)
  #sequence = 0
  #firstContact: Promise<unknown> | undefined

  constructor(options: ClientOptions) {
    this.#options = options
    this.traffic = options.traffic ?? new Traffic(options)
    this.gate = this.traffic.gate
  }

  /** Sends a request with retries (readings G9) and redirects (readings H7). Throws {@link NoResponse} or {@link NotSent}. */
  async send(spec: RequestSpec, options: SendOptions = {}) {
    for (let hops = 0, next = spec; ; hops += 1) {
      const response = await (options.shared
        ? this.#readOnce(next, options)
        : this.#sendOne(next, options))
      options.onResponse?.(response)
      const target = redirected(next, response, hops)
      if (!target) return response
      next = target
    }
  }

  /** A GET that is sent once for every caller, URL and set of headers, and shared by all readers. Throws like {@link send}. */
  read(spec: RequestSpec, onResponse?: SendOptions['onResponse']) {
    return this.send(spec, { shared: true, onResponse })
  }

  /** A GET whose body is passed to `consume` while it arrives and is not stored. Retries like {@link send}, and throws like it. */
  async stream<Result>(spec: RequestSpec, consume: Consume<Result>) {
    const request = { spec, wire: this.#wire(spec), attempts: streamAttempts }
    return this.#sendRepeatedly(request, (wire) =>
      this.traffic.connections.stream(wire, this.#options.signal, consume),
    )
  }

  /** Observations about the connections that belong to no check, as sentences. */
  get notes(): readonly string[] {
    return this.traffic.connections.notes
  }

  /** Forgets the shared reads, so that later ones are sent again. */
  forget() {
    this.#reads.clear()
  }

  /** Closes the connections to the target for all clients that share them. */
  async close() {
    await this.traffic.connections.close()
  }

  /** The shared response to a read; sends the read if it is the first one. */
  #readOnce(spec: RequestSpec, options: SendOptions) {
    const wire = this.#wire(spec, options)
    // The response states the first URL of its redirects, so that URL is part of the key.
    const key = JSON.stringify([wire.method, wire.url, wire.headers, spec.redirectedFrom])
    const known = this.#reads.get(key)
    if (known) {
      this.totals.shared += 1
      return known
    }
    const response = this.#sendOne(spec, options)
    this.#reads.set(key, response, 0)
    const setSize = (size: number) =>
      this.#reads.get(key) === response && this.#reads.set(key, response, size)
    response.then(({ length, head }) => setSize(length + head.length)).catch(() => undefined)
    return response
  }

  /** Sends a request without its redirects. The first request of all finds out whether the target responds. */
  async #sendOne(spec: RequestSpec, options: SendOptions) {
    const { method } = spec.endpoint
    if (this.#options.readOnly && method !== 'GET') throw new NotSent({ code: 'read-only', method })
    const wire = this.#wire(spec, options)
    // The first request may itself wait for an exclusive section to end.
    if (this.#firstContact && !options.exclusive) await this.#firstContact
    const response = this.#sendRepeatedly({ ...options, spec, wire }, this.#receive)
    this.#firstContact ??= response.catch(() => undefined)
    const { exchange } = await response
    if (exchange.status === 401) await this.#requireToken(spec, options)
    else this.gate.rememberControl(spec, exchange)
    return exchange
  }

  /** After a 401, repeats an accepted request of the same token. Throws {@link NoResponse} if it is refused as well (readings G9a). */
  async #requireToken({ as }: RequestSpec, { exclusive }: SendOptions) {
    const { control } = this.gate.controlsOf(as)
    if (!control) return
    const { status } = await this.#sendControl(control, { exclusive })
    if (status === 401) throw this.gate.end(as, this.#wire(control))
  }

  /** Repeats a request that was served before. */
  async #sendControl(spec: RequestSpec, options: SendOptions) {
    const request = { ...options, spec, wire: this.#wire(spec) }
    return (await this.#sendRepeatedly(request, this.#receive)).exchange
  }

  /** Receives a whole response. */
  readonly #receive = async (wire: WireRequest) => ({
    response: await this.traffic.connections.send(wire, this.#options.signal),
  })

  /** Sends a request again after a lost or a temporary response, for as long as the gate permits. */
  async #sendRepeatedly<Result>(sending: Sending, transfer: Transfer<Result>) {
    const request = { ...sending, server: this.#options.apiVersion }
    await this.gate.awaitFirst(request)
    const started = this.#options.clock.now()
    for (let tried = 1; ; tried += 1) {
      const wire = tried > 1 ? { ...request.wire, fresh: true } : request.wire
      const attempt = this.gate.inTurn(request, () => this.#sendNow(request.spec, wire, transfer))
      const response = await attempt.catch(repeatable)
      const isLost = response instanceof NoResponse
      if (
        !isLost &&
        (request.once || !(await this.#isTransient(request, response.exchange, tried)))
      )
        return response
      await this.gate.awaitNext(request, isLost ? response : response.exchange, tried, started)
    }
  }

  /** True for a response that does not judge its request. A 422 of a GET may mean spam: a served request is repeated to find out (readings H6). */
  async #isTransient({ spec, wire, exclusive }: GateRequest, response: Exchange, tried: number) {
    if (isTransient(response, tried)) return true
    const { inbox: control } = this.gate.controlsOf(spec.as)
    if (response.status !== 422 || wire.method !== 'GET' || !control) return false
    const { status } = await this.#sendControl(control, { exclusive, once: true })
    response.isSpam = status === 422
    return response.isSpam || tried === 1
  }

  /** Sends a request once, within the limits of the run, and records its exchange. */
  async #sendNow<Result>(spec: RequestSpec, wire: WireRequest, transfer: Transfer<Result>) {
    this.#throwAtLimit()
    this.counts.countRequest(wire.method as Method)
    const started = this.#options.clock.now()
    const { response, ...rest } = await transfer(wire)
    return { exchange: this.#completed(spec, wire, response, started), ...rest }
  }

  #throwAtLimit() {
    const { maxRequests, limits, signal } = this.#options
    signal.throwIfAborted()
    if (maxRequests !== undefined && this.totals.sent >= maxRequests)
      throw new NotSent({ code: 'request-limit', requests: maxRequests })
    if (limits.totalBytes !== undefined && this.traffic.bodies.received >= limits.totalBytes)
      throw new NotSent({ code: 'byte-limit', bytes: limits.totalBytes })
  }

  /** The exchange of a response. The gate, the counts and the run learn about it. */
  #completed(spec: RequestSpec, wire: WireRequest, response: ReceivedResponse, started: number) {
    const { apiVersion, clock, dialect, onExchange } = this.#options
    const elapsed = clock.now() - started
    const endpoint = endpointLabel(spec.endpoint)
    this.#sequence += 1
    const { redirectedFrom, as } = spec
    const request = {
      ...wire,
      endpoint,
      as: as.label,
      form: formOf(spec),
      ...defined({ redirectedFrom }),
    }
    const body = this.traffic.bodies.of(response.body)
    const exchange = new Exchange(
      `x${this.#sequence}`,
      request,
      response,
      elapsed,
      dialect,
      this.gate.quotaHeaders,
      body,
    )
    this.gate.learnFrom(apiVersion, spec, exchange)
    this.counts.countResponse(countedAs(endpoint), exchange.length, elapsed)
    onExchange?.(exchange)
    return exchange
  }

  #wire(spec: RequestSpec, { tapped }: SendOptions = {}) {
    return { ...toWireRequest(spec, this.#options), ...(tapped ? { tapped } : {}) }
  }
}

/** A request in words: whose token it has, how it varies an earlier one, and which address led to it. */
function formOf({ as, extra = '', redirectedFrom }: RequestSpec) {
  const from = redirectedFrom ? `redirected from ${new URL(redirectedFrom).pathname}` : ''
  return [...new Set([callerText(as), extra, from])].filter(Boolean).join(', ')
}
