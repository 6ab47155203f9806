import type { RequestTotals } from '../record/exchange-record.ts'
import { endpointLabel, type Method } from '../spec/endpoints.ts'
import type { ApiVersion } from '../spec/versions.ts'
import { countedAs } from '../spec/words/addresses.ts'
import { counted } from '../text/format.ts'
import type { Dialect } from './dialect/dialect.ts'
import { toWireRequest } from './dialect/wire-request.ts'
import { LruCache } from './exchange/body.ts'
import type { Caller } from './exchange/caller.ts'
import { Exchange, type ReceivedResponse, type WireRequest } from './exchange/exchange.ts'
import { NoResponse, NotSent } from './exchange/no-response.ts'
import { followRedirects } from './exchange/redirect.ts'
import type { RequestSpec } from './exchange/request-spec.ts'
import * as retry from './exchange/retry.ts'
import type { Consume } from './transport/connection/receive.ts'
import { CircuitBreaker } from './transport/limits/circuit-breaker.ts'
import { type Clock, requests } from './transport/time/clock.ts'
import { Traffic, type TrafficLimits, TrafficTotals } from './transport/traffic.ts'

/** How one request is sent. */
export interface SendOptions {
  /** Returns a 429 or 503 without a retry, because a conditional poll must keep the poll interval. */
  readonly once?: boolean
  /** Counts the bytes that follow a response without a body, such as a 304. */
  readonly tapped?: boolean
  /** The request belongs to the exclusive section that is running (`Pace.exclusively`). */
  readonly exclusive?: boolean
  /** Receives every response, those of followed redirects included. */
  readonly onResponse?: (response: Exchange) => void
}

/** The target, the version and the limits of a client, with the parts that it shares with others. */
export interface ClientOptions {
  readonly baseUrl: string
  readonly apiVersion: ApiVersion
  readonly dialect: Dialect
  readonly limits: TrafficLimits & { readonly totalBytes?: number }
  readonly maxRetryWaitSeconds: number
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly readOnly?: boolean
  readonly maxRequests?: number | undefined
  /** Shared with the clients of other versions; a new one unless stated. */
  readonly traffic?: Traffic
  /** No request is sent after this time of the clock. Milliseconds. */
  readonly deadline?: number | undefined
  /** Receives every completed exchange. */
  readonly onExchange?: (exchange: Exchange) => void
}

/** The longest time of a Node timer. Milliseconds. */
const longestTimer = 2 ** 31 - 1

/** The most bytes of headers and bodies that are kept for later readers. */
const sharedBytes = 48 * 1024 * 1024

/** How often a streamed response is requested. Its body may be large, so it has fewer attempts than others. */
const streamAttempts = 2

/** Sends requests to one target in one API version. Safe for concurrent use. */
export class Client {
  readonly traffic: Traffic
  readonly #options: ClientOptions
  readonly counts = new TrafficTotals()
  /** The numbers of requests and of received bytes so far. */
  readonly totals: RequestTotals = this.counts.totals
  /** The shared reads by request, sized by their responses. A failed read stays, so that it is not repeated. */
  readonly #reads = new LruCache<Promise<Exchange>>(sharedBytes)
  readonly #breaker: CircuitBreaker
  #sequence = 0
  #firstContact: Promise<unknown> | undefined

  constructor(options: ClientOptions) {
    this.#options = options
    this.traffic = options.traffic ?? new Traffic(options.limits, options.clock, options.signal)
    this.#breaker = new CircuitBreaker(options.limits.timeoutSeconds * 1000)
  }

  /** Sends a request with retries (readings G9) and redirects (readings H7). Throws {@link NoResponse} or {@link NotSent}. */
  send(spec: RequestSpec, options: SendOptions = {}): Promise<Exchange> {
    return followRedirects(spec, (next) => this.#sendOne(next, options), options.onResponse)
  }

  /** A GET that is sent once for every caller, URL and set of headers, and shared by all readers. Throws like {@link send}. */
  read(spec: RequestSpec, onResponse?: SendOptions['onResponse']): Promise<Exchange> {
    return followRedirects(spec, (next) => this.#readOne(next), onResponse)
  }

  /** A GET whose body is passed to `consume` while it arrives and is not stored. Retries like {@link send}, and throws like it. */
  async stream<Result>(spec: RequestSpec, consume: Consume<Result>): Promise<{ exchange: Exchange; result?: Result }> {
    const wire = this.#wire(spec)
    return this.#withRetries(spec, wire, { attempts: streamAttempts }, () =>
      this.#inTurn(spec, wire, {}, async () => {
        const started = this.#start(wire)
        const { response, ...rest } = await this.traffic.connections.stream(wire, this.#untilDeadline(), consume)
        return { exchange: this.#completed(spec, wire, response, started), ...rest }
      }),
    )
  }

  /** Observations about the connections that belong to no check, as sentences. */
  get notes(): readonly string[] {
    return this.traffic.connections.notes
  }

  /** Forgets the shared reads, so that later ones are sent again. */
  forget(): void {
    this.#reads.clear()
  }

  /** Closes the connections to the target for all clients that share them. */
  async close(): Promise<void> {
    await this.traffic.connections.close()
  }

  #readOne(spec: RequestSpec): Promise<Exchange> {
    const wire = this.#wire(spec)
    // The response states the first URL of its redirects, so that URL is part of the key.
    const key = JSON.stringify([wire.method, wire.url, wire.headers, spec.redirectedFrom])
    const known = this.#reads.get(key)
    if (known) {
      this.totals.shared += 1
      return known
    }
    const response = this.#sendOne(spec, {})
    this.#reads.set(key, response, 0)
    const setSize = (size: number) => this.#reads.get(key) === response && this.#reads.set(key, response, size)
    response.then(({ length, head }) => setSize(length + head.length)).catch(() => undefined)
    return response
  }

  async #sendOne(spec: RequestSpec, options: SendOptions): Promise<Exchange> {
    const { method } = spec.endpoint
    if (this.#options.readOnly && method !== 'GET') throw new NotSent({ code: 'read-only', method })
    const wire = this.#wire(spec, options)
    // The first request finds out whether the target responds. It may itself wait for an exclusive section to end.
    if (this.#firstContact && !options.exclusive) await this.#firstContact
    const response = this.#sendRepeatedly(spec, wire, options)
    this.#firstContact ??= response.catch(() => undefined)
    const { exchange } = await response
    if (exchange.status === 401) await this.#requireToken(spec, options)
    else this.traffic.tokens.learnFrom(spec, exchange)
    return exchange
  }

  /** After a 401, repeats an accepted request of the same token. Throws {@link NoResponse} if it is refused as well (readings G9a). */
  async #requireToken({ as }: RequestSpec, { exclusive = false }: SendOptions): Promise<void> {
    const control = this.traffic.tokens.controlOf(as)
    if (!control) return
    const wire = this.#wire(control)
    const { exchange } = await this.#sendRepeatedly(control, wire, { exclusive })
    if (exchange.status !== 401) return
    this.traffic.tokens.markEnded(as)
    throw this.#tokenEnded(as, wire)
  }

  #sendRepeatedly(spec: RequestSpec, wire: WireRequest, options: SendOptions): Promise<{ exchange: Exchange }> {
    const send = async (next: WireRequest) => {
      const started = this.#start(next)
      const response = await this.traffic.connections.send(next, this.#options.signal)
      return { exchange: this.#completed(spec, next, response, started) }
    }
    const limits = { attempts: retry.attempts, once: options.once }
    return this.#withRetries(spec, wire, limits, (next) => this.#inTurn(spec, next, options, () => send(next)))
  }

  /** Sends a request when the pace and the quota of its caller permit. Throws {@link NoResponse} if the caller would wait too long (readings H6). */
  async #inTurn<Result>(spec: RequestSpec, wire: WireRequest, { exclusive }: SendOptions, send: () => Promise<Result>) {
    const { pace, quota } = this.traffic
    const { clock } = this.#options
    for (;;) {
      await quota.admit(spec, describe(wire), this.#options)
      // The target may throttle the caller while the request waits for its turn.
      const isDelayed = () => quota.waitsUntil(spec.as, this.#now()) !== undefined
      const sendTraced = async () => ({ sent: await requests.tracePromise(send, { clock }) })
      const response = await pace.run(async () => (isDelayed() ? undefined : sendTraced()), exclusive)
      if (response) return response.sent
    }
  }

  async #withRetries<Result extends { exchange: Exchange }>(
    spec: RequestSpec,
    wire: WireRequest,
    limits: { attempts: number; once?: boolean | undefined },
    attempt: (wire: WireRequest) => Promise<Result>,
  ): Promise<Result> {
    const { clock, signal, maxRetryWaitSeconds } = this.#options
    const breakerWait = () => this.#breaker.waitFor(this.#now)
    for (let wait = breakerWait(); wait > 0; wait = breakerWait()) await clock.sleep(wait, signal)
    this.#throwIfLost(spec, wire)
    const started = clock.now()
    for (let tried = 1; ; tried += 1) {
      const response = await attempt(tried > 1 ? { ...wire, fresh: true } : wire).catch(retry.repeatable)
      if (!(response instanceof NoResponse) && (limits.once || !retry.isTransient(response.exchange, tried))) return response
      const result = response instanceof NoResponse ? response : response.exchange
      const wait = this.#waitAfter(spec, result, tried)
      const mayReturn =
        retry.isRestarting(result, clock.now() - started) && !this.#breaker.hasMissed(endpointLabel(spec.endpoint))
      const most = mayReturn || retry.isThrottled(result) ? retry.patientAttempts : limits.attempts
      const isLast = tried >= most || !retry.mayRepeat(wire, result)
      if (isLast || wait > maxRetryWaitSeconds * 1000) throw this.#givenUp(spec, wire, result, tried, clock.now() - started)
      await clock.sleep(wait, signal)
    }
  }

  /** Milliseconds until a request is sent again. A throttled caller waits at least for the time that the target stated. */
  #waitAfter({ as }: RequestSpec, result: Exchange | NoResponse, tried: number): number {
    if (!retry.isThrottled(result)) return retry.delayBefore(tried, result)
    const now = this.#now()
    const until = this.traffic.quota.waitsUntil(as, now)
    if (until !== undefined && tried === 1) return until - now
    this.traffic.pace.slowDown()
    return Math.max((until ?? now) - now, 1000 * 2 ** (tried - 1))
  }

  /** Checks the limits, counts a request and returns the time at which it begins. */
  #start(wire: WireRequest): number {
    const { maxRequests, limits, signal, clock } = this.#options
    signal.throwIfAborted()
    if (maxRequests !== undefined && this.totals.sent >= maxRequests)
      throw new NotSent({ code: 'request-limit', requests: maxRequests })
    if (limits.totalBytes !== undefined && this.traffic.bodyBytes >= limits.totalBytes)
      throw new NotSent({ code: 'byte-limit', bytes: limits.totalBytes })
    if (this.#remaining() <= 0) throw new NotSent({ code: 'time-limit' })
    this.counts.countRequest(wire.method as Method)
    return clock.now()
  }

  /** A signal that ends a long transfer, such as that of an archive, at the deadline of the run. */
  #untilDeadline(): AbortSignal {
    const { signal } = this.#options
    const remaining = this.#remaining()
    if (remaining === Number.POSITIVE_INFINITY) return signal
    const expired = new AbortController()
    const end = () => expired.abort(new NotSent({ code: 'time-limit' }))
    setTimeout(end, Math.min(remaining, longestTimer)).unref()
    return AbortSignal.any([signal, expired.signal])
  }

  /** The time in which requests may still be sent. Milliseconds. */
  #remaining(): number {
    const { deadline, clock } = this.#options
    return deadline === undefined ? Number.POSITIVE_INFINITY : deadline - clock.now()
  }

  #completed(spec: RequestSpec, wire: WireRequest, response: ReceivedResponse, started: number): Exchange {
    const { clock, dialect, onExchange } = this.#options
    const elapsed = clock.now() - started
    const endpoint = endpointLabel(spec.endpoint)
    if (!retry.outages.has(response.status)) this.#breaker.recordSuccess(endpoint)
    const { quotaHeaders, quota, bodies } = this.traffic
    this.traffic.bodyBytes += response.body.length
    quotaHeaders.learnFrom(response)
    this.#sequence += 1
    const { redirectedFrom } = spec
    const request = { ...wire, endpoint, as: spec.as.label, ...(redirectedFrom === undefined ? {} : { redirectedFrom }) }
    const body = bodies.of(response.body)
    const exchange = new Exchange(`x${this.#sequence}`, request, response, elapsed, dialect, quotaHeaders, body)
    quota.learnFrom(spec.as, exchange, clock.now())
    this.counts.countResponse(countedAs(endpoint), exchange.length, elapsed)
    onExchange?.(exchange)
    return exchange
  }

  readonly #now = () => this.#options.clock.now()

  #throwIfLost(spec: RequestSpec, wire: WireRequest): void {
    if (this.traffic.tokens.hasEnded(spec.as)) throw this.#tokenEnded(spec.as, wire)
    const error = this.#breaker.errorFor(endpointLabel(spec.endpoint), this.#now)
    if (error)
      throw new NoResponse(`${describe(wire)}: not sent, because earlier requests were lost: ${error.message}`, error.traits)
  }

  #tokenEnded({ label }: Caller, wire: WireRequest): NoResponse {
    const message = `${describe(wire)}: the token ${label} was accepted earlier and is refused now (401)`
    return new NoResponse(message, { ended: { caller: label } })
  }

  #givenUp(spec: RequestSpec, wire: WireRequest, result: Exchange | NoResponse, tried: number, elapsed: number): NoResponse {
    const reason =
      result instanceof NoResponse ? result.message : `answered ${result.status}${result.throttled ? ', too many requests' : ''}`
    const effort = `tried ${counted(tried, 'time')} in ${(elapsed / 1000).toFixed(1)} s`
    const throttled = retry.isThrottled(result) ? { throttled: { caller: spec.as.label } } : {}
    const traits = result instanceof NoResponse ? result.traits : { status: result.status, ...throttled }
    const isLost = result instanceof NoResponse || retry.outages.has(result.status)
    const endpoint = endpointLabel(spec.endpoint)
    if (retry.isThrottled(result) && tried > 1) this.traffic.quota.markThrottled(spec.as, endpoint)
    if (isLost) this.#breaker.recordFailure(endpoint, new NoResponse(`${reason} (${effort})`, traits), this.#now)
    return new NoResponse(`${describe(wire)}: ${reason} (${effort})`, traits)
  }

  #wire(spec: RequestSpec, { tapped }: SendOptions = {}): WireRequest {
    return { ...toWireRequest(spec, this.#options), ...(tapped ? { tapped } : {}) }
  }
}

const describe = ({ method, url, display }: WireRequest) => `${method} ${display?.url ?? url}`
