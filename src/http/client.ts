import type { RequestTotals } from '../record/exchange-record.ts'
import { endpointLabel, type Method } from '../spec/endpoint.ts'
import type { ApiVersion } from '../spec/versions.ts'
import type { Clock } from './clock.ts'
import { Connection, isRepeatable } from './connection.ts'
import type { Dialect } from './dialect.ts'
import { Exchange, type ReceivedResponse } from './exchange.ts'
import { NoAnswer } from './no-answer.ts'
import { NotSent } from './not-sent.ts'
import { Pace, type PaceLimits } from './pacing.ts'
import type { RequestSpec } from './request-spec.ts'
import { attempts, delayBefore, transientStatuses } from './retry.ts'
import { Silence } from './silence.ts'
import { spell } from './spelling.ts'
import type { Consume } from './stream.ts'
import type { WireRequest } from './wire.ts'

export type { EndpointRef, QueryValue, RequestSpec } from './request-spec.ts'

/** How one request is to be treated, beyond what is sent. */
export interface SendOptions {
  /** Return a 429 or 503 as it is; a conditional poll must not be repeated at once. */
  readonly once?: boolean
  readonly tapped?: boolean
  /** Part of an exclusive section. */
  readonly exclusive?: boolean
}

export interface ClientOptions {
  readonly baseUrl: string
  readonly apiVersion: ApiVersion
  readonly dialect: Dialect
  readonly limits: PaceLimits & { readonly timeoutSeconds: number }
  readonly maxRetryWaitSeconds: number
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly readOnly?: boolean
  readonly maxRequests?: number
  /** Called with every completed exchange. */
  readonly onExchange?: (exchange: Exchange) => void
}

/** How often a streamed body is begun: it may be large. */
const streamAttempts = 2

/** Sends requests to one target in one API version. Safe for concurrent use. */
export class Client {
  readonly totals: RequestTotals = { sent: 0, shared: 0, byMethod: {}, writes: 0, bytes: 0 }
  readonly #options: ClientOptions
  readonly #connection: Connection
  readonly #pace: Pace
  readonly #shared = new Map<string, Promise<Exchange>>()
  readonly #silence = new Silence()
  #sequence = 0
  #firstContact: Promise<unknown> | undefined

  constructor(options: ClientOptions) {
    this.#options = options
    this.#connection = new Connection(options.limits.timeoutSeconds * 1000)
    this.#pace = new Pace(options.limits, options.clock, options.signal)
  }

  /**
   * Sends a request, retrying what readings G9 calls transient.
   * Throws {@link NoAnswer} when nothing can be judged, {@link NotSent} when the run may not send it.
   */
  async send(spec: RequestSpec, options: SendOptions = {}): Promise<Exchange> {
    this.#mayWrite(spec)
    const wire = this.#wire(spec, options)
    // Until the target has answered once, one request tries it for all; an exclusive section must not wait for those it holds up.
    if (this.#firstContact && !options.exclusive) await this.#firstContact.catch(() => {})
    this.#mayAnswer(spec)
    const answer = this.#attempt(spec, wire, options)
    this.#firstContact ??= answer
    return answer
  }

  /** A GET that is sent once and shared by everyone who reads the same address as the same caller with the same headers. */
  read(spec: RequestSpec): Promise<Exchange> {
    const wire = this.#wire(spec, {})
    const key = JSON.stringify([wire.method, wire.url, wire.headers])
    const known = this.#shared.get(key)
    if (known) {
      this.totals.shared += 1
      return known
    }
    const answer = this.send(spec)
    this.#shared.set(key, answer)
    return answer
  }

  /** Lets every later read be sent anew. */
  forget(): void {
    this.#shared.clear()
  }

  /**
   * A GET whose body goes to `consume` while it arrives instead of being stored; an attempt that readings G9 call transient is
   * made again from its beginning. Throws like {@link send}.
   */
  async stream<Result>(spec: RequestSpec, consume: Consume<Result>): Promise<{ exchange: Exchange; result?: Result }> {
    const wire = this.#wire(spec, {})
    const { clock, signal, maxRetryWaitSeconds } = this.#options
    const started = clock.now()
    for (let tried = 1; ; tried += 1) {
      this.#mayAnswer(spec)
      const answer = await this.#streamOnce(spec, wire, consume).catch((error: unknown) => {
        if (!(error instanceof NoAnswer)) throw error
        return error
      })
      if (!(answer instanceof NoAnswer) && !transientStatuses.has(answer.exchange.status)) return answer
      const result = answer instanceof NoAnswer ? answer : answer.exchange
      const wait = delayBefore(tried, ...retryHeaders(result))
      if (tried >= streamAttempts || wait > maxRetryWaitSeconds * 1000) {
        throw this.#unansweredBy(spec, wire, result, tried, clock.now() - started)
      }
      await clock.sleep(wait, signal)
    }
  }

  /** Runs a section during which only requests sent with `exclusive` are in flight. */
  exclusively<Result>(section: () => Promise<Result>): Promise<Result> {
    return this.#pace.exclusively(section)
  }

  async close(): Promise<void> {
    await this.#connection.close()
  }

  async #attempt(spec: RequestSpec, wire: WireRequest, options: SendOptions): Promise<Exchange> {
    const started = this.#options.clock.now()
    for (let tried = 1; ; tried += 1) {
      const result = await this.#once(spec, wire, options).catch((error: unknown) => {
        if (!(error instanceof NoAnswer)) throw error
        return error
      })
      if (result instanceof Exchange && (options.once || !transientStatuses.has(result.status))) return result
      const again = tried < attempts && !(result instanceof NoAnswer && !isRepeatable(wire.method))
      const wait = again ? delayBefore(tried, ...retryHeaders(result)) : 0
      if (!again || wait > this.#options.maxRetryWaitSeconds * 1000) {
        throw this.#unansweredBy(spec, wire, result, tried, this.#options.clock.now() - started)
      }
      await this.#options.clock.sleep(wait, this.#options.signal)
    }
  }

  async #once(spec: RequestSpec, wire: WireRequest, options: SendOptions): Promise<Exchange> {
    const { clock, signal } = this.#options
    return this.#pace.run(async () => {
      this.#mayGo(wire)
      const started = clock.now()
      const response = await this.#connection.send(wire, signal)
      return this.#recorded(spec, wire, response, clock.now() - started)
    }, options.exclusive)
  }

  async #streamOnce<Result>(spec: RequestSpec, wire: WireRequest, consume: Consume<Result>) {
    const { clock, signal } = this.#options
    return this.#pace.run(async () => {
      this.#mayGo(wire)
      const started = clock.now()
      const { response, ...rest } = await this.#connection.stream(wire, signal, consume)
      return { exchange: this.#recorded(spec, wire, response, clock.now() - started), ...rest }
    })
  }

  #mayGo(wire: WireRequest): void {
    const { signal, maxRequests } = this.#options
    signal.throwIfAborted()
    if (maxRequests !== undefined && this.totals.sent >= maxRequests) {
      throw new NotSent(`the run has reached its limit of ${maxRequests} requests (--max-requests)`)
    }
    this.#count(wire)
  }

  #recorded(spec: RequestSpec, wire: WireRequest, response: ReceivedResponse, elapsed: number): Exchange {
    this.#silence.heard(endpointLabel(spec.endpoint))
    this.totals.bytes += response.streamed?.bytes ?? response.body.length
    const request = { ...wire, endpoint: endpointLabel(spec.endpoint), as: spec.as.label }
    this.#sequence += 1
    const exchange = new Exchange(`x${this.#sequence}`, request, response, elapsed, this.#options.dialect)
    this.#options.onExchange?.(exchange)
    return exchange
  }

  #mayAnswer(spec: RequestSpec): void {
    const gone = this.#silence.of(endpointLabel(spec.endpoint))
    if (gone) throw gone
  }

  #unansweredBy(spec: RequestSpec, wire: WireRequest, result: Exchange | NoAnswer, tried: number, elapsed: number): NoAnswer {
    const what = result instanceof Exchange ? `answered ${result.status}` : result.message
    const effort = `tried ${tried} ${tried === 1 ? 'time' : 'times'} in ${(elapsed / 1000).toFixed(1)} s`
    const unreachable = result instanceof NoAnswer && result.unreachable
    const error = new NoAnswer(`${wire.method} ${wire.shown?.url ?? wire.url}: ${what} (${effort})`, unreachable)
    if (result instanceof NoAnswer) this.#silence.unheard(endpointLabel(spec.endpoint), error)
    return error
  }

  #count(wire: WireRequest): void {
    const method = wire.method as Method
    this.totals.sent += 1
    this.totals.byMethod[method] = (this.totals.byMethod[method] ?? 0) + 1
    if (method !== 'GET') this.totals.writes += 1
  }

  #mayWrite(spec: RequestSpec): void {
    if (this.#options.readOnly && spec.endpoint.method !== 'GET') {
      throw new NotSent(`--read-only does not permit ${spec.endpoint.method}`)
    }
  }

  #wire(spec: RequestSpec, options: SendOptions): WireRequest {
    return { ...spell(spec, this.#options), ...(options.tapped ? { tapped: true } : {}) }
  }
}

function retryHeaders(result: Exchange | NoAnswer): [string | undefined, string | undefined] {
  return result instanceof Exchange ? [result.header('retry-after'), result.header('date')] : [undefined, undefined]
}
