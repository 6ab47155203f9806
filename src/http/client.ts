import type { EndpointTraffic, RequestTotals } from '../record/exchange-record.ts'
import { countedAs } from '../spec/addresses.ts'
import { endpointLabel, type Method } from '../spec/endpoints.ts'
import type { ApiVersion } from '../spec/versions.ts'
import type { Dialect } from './dialect/dialect.ts'
import { spell } from './dialect/spelling.ts'
import type { Body } from './exchange/answer-body.ts'
import { Exchange, type ReceivedResponse, sizeOf } from './exchange/exchange.ts'
import { NoAnswer, type NoAnswerTraits } from './exchange/no-answer.ts'
import { NotSent } from './exchange/not-sent.ts'
import type { RequestSpec } from './exchange/request-spec.ts'
import { attempts, delayBefore, isThrottled } from './exchange/retry.ts'
import type { Consume } from './exchange/stream.ts'
import type { WireRequest } from './exchange/wire.ts'
import { SharedReads } from './shared-reads.ts'
import type { Clock } from './transport/clock.ts'
import { isRepeatable } from './transport/connection.ts'
import type { Pace, PaceLimits } from './transport/pacing.ts'
import { Silence } from './transport/silence.ts'
import { Traffic } from './transport/traffic.ts'
import { TrafficTotals } from './transport/traffic-totals.ts'
import type { Transport } from './transport/transport.ts'

export type { EndpointRef, QueryValue, RequestSpec } from './exchange/request-spec.ts'

/** How one request is to be treated, beyond what is sent. */
export interface SendOptions {
  /** Return a 429 or 503 as it is; a conditional poll must not be repeated at once. */
  readonly once?: boolean
  readonly tapped?: boolean
  /** Part of an exclusive section. */
  readonly exclusive?: boolean
  /** Of those that wait to be sent, the lowest goes first; 0 unless given. */
  readonly turn?: number | undefined
}

export interface ClientOptions {
  readonly baseUrl: string
  readonly apiVersion: ApiVersion
  readonly dialect: Dialect
  readonly limits: PaceLimits & { readonly timeoutSeconds: number; readonly bodyBytes?: number; readonly totalBytes?: number }
  readonly maxRetryWaitSeconds: number
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly readOnly?: boolean
  readonly maxRequests?: number
  /** What the client shares with the clients of other versions; its own unless given. */
  readonly traffic?: Traffic
  /** What carries the requests; the connections of `traffic` unless given. */
  readonly transport?: Transport | undefined
  /** When nothing more is sent, by the clock. Milliseconds. */
  readonly deadline?: number
  /** Called with every completed exchange. */
  readonly onExchange?: (exchange: Exchange) => void
}

const timeIsUp = 'the run has reached its time limit (limits.runMinutes)'

/** The longest time that a timer of Node takes. Milliseconds. */
const longestTimer = 2 ** 31 - 1

/** How often a streamed body is begun: it may be large. */
const streamAttempts = 2

/** Sends requests to one target in one API version. Safe for concurrent use. */
export class Client {
  readonly #totals = new TrafficTotals()
  readonly traffic: Traffic
  readonly #options: ClientOptions
  readonly #transport: Transport
  readonly #pace: Pace
  readonly #shared = new SharedReads()
  readonly #silence = new Silence()
  readonly #bodies = new Map<string, WeakRef<Body>>()
  #sequence = 0
  #firstContact: Promise<unknown> | undefined

  constructor(options: ClientOptions) {
    this.#options = options
    this.traffic = options.traffic ?? new Traffic(options.limits, options.clock, options.signal)
    this.#transport = options.transport ?? this.traffic.connection
    this.#pace = this.traffic.pace
    this.traffic.large.mayLetGo(() => this.#shared.letGo())
  }

  /**
   * Sends a request, retrying what readings G9 calls transient.
   * Throws {@link NoAnswer} when nothing can be judged, {@link NotSent} when the run may not send it.
   */
  async send(spec: RequestSpec, options: SendOptions = {}): Promise<Exchange> {
    this.#mayWrite(spec)
    const wire = this.#wire(spec, options)
    // Until the target has answered once, one request tries it for all; an exclusive section must not wait for those it holds up.
    if (this.#firstContact && !options.exclusive) await this.#firstContact
    this.#mayAnswer(spec, wire)
    const answer = this.#attempt(spec, wire, options)
    this.#firstContact ??= answer.then(
      () => undefined,
      () => undefined,
    )
    return answer
  }

  /** A GET that is sent once and shared by everyone who reads the same address as the same caller with the same headers. */
  read(spec: RequestSpec, { turn }: Pick<SendOptions, 'turn'> = {}): Promise<Exchange> {
    const wire = this.#wire(spec, {})
    const key = JSON.stringify([wire.method, wire.url, wire.headers])
    const known = this.#shared.of(key)
    if (known) {
      this.totals.shared += 1
      return known
    }
    const answer = this.within('read', () => this.send(spec, { turn }), wire)
    this.#shared.add(key, answer)
    return answer
  }

  /** Does what several checks share under a name of its own, or what one check does under that of the check. */
  within<Result>(scope: string, work: () => Result, wire?: WireRequest): Result {
    return this.#transport.within(scope, work, wire)
  }

  /** What was sent so far. */
  get totals(): RequestTotals {
    return this.#totals.totals
  }

  /** What each endpoint was asked so far. */
  byEndpoint(): EndpointTraffic[] {
    return this.#totals.byEndpoint()
  }

  /** What was noticed about the connections and belongs to no check, as sentences. */
  get notes(): readonly string[] {
    return this.#transport.notes
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
      this.#mayAnswer(spec, wire)
      const answer = await this.#streamOnce(spec, wire, consume).catch((error: unknown) => {
        if (!(error instanceof NoAnswer)) throw error
        return error
      })
      if (!(answer instanceof NoAnswer) && !isThrottled(answer.exchange)) return answer
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

  /** Closes the connections to the target, for all who share them. */
  async close(): Promise<void> {
    await this.traffic.close()
  }

  async #attempt(spec: RequestSpec, wire: WireRequest, options: SendOptions): Promise<Exchange> {
    const started = this.#options.clock.now()
    for (let tried = 1; ; tried += 1) {
      const result = await this.#once(spec, tried > 1 ? { ...wire, fresh: true } : wire, options).catch((error: unknown) => {
        if (!(error instanceof NoAnswer)) throw error
        return error
      })
      if (result instanceof Exchange && (options.once || !isThrottled(result))) return result
      const again = tried < attempts && !(result instanceof NoAnswer && !mayRepeat(wire, result))
      const wait = again ? delayBefore(tried, ...retryHeaders(result)) : 0
      if (!again || wait > this.#options.maxRetryWaitSeconds * 1000) {
        throw this.#unansweredBy(spec, wire, result, tried, this.#options.clock.now() - started)
      }
      await this.#options.clock.sleep(wait, this.#options.signal)
    }
  }

  async #once(spec: RequestSpec, wire: WireRequest, options: SendOptions): Promise<Exchange> {
    const { clock, signal } = this.#options
    const go = async (full?: NotSent) => {
      this.#mayGo(wire, full)
      const started = clock.now()
      const response = await this.#transport.send(wire, signal)
      return this.#recorded(spec, wire, response, clock.now() - started)
    }
    return this.#pace.run(() => this.traffic.large.whenRoom(go), options.exclusive, options.turn)
  }

  async #streamOnce<Result>(spec: RequestSpec, wire: WireRequest, consume: Consume<Result>) {
    const { clock } = this.#options
    return this.#pace.run(async () => {
      this.#mayGo(wire)
      const started = clock.now()
      const { response, ...rest } = await this.#transport.stream(wire, this.#untilDeadline(), consume)
      return { exchange: this.#recorded(spec, wire, response, clock.now() - started), ...rest }
    })
  }

  #mayGo(wire: WireRequest, full?: NotSent): void {
    this.#options.signal.throwIfAborted()
    // Out of what is decided: a replay, which decides nothing, reads the clock as often as the run did.
    const late = this.#remaining() <= 0
    this.#transport.admit(wire, () => this.#keepLimits(late, full))
    this.#totals.sends(wire.method as Method)
  }

  #keepLimits(late: boolean, full: NotSent | undefined): void {
    const { maxRequests, limits } = this.#options
    if (maxRequests !== undefined && this.totals.sent >= maxRequests) {
      throw new NotSent(`the run has reached its limit of ${maxRequests} requests (--max-requests)`, 'request-limit')
    }
    if (limits.totalBytes !== undefined && this.traffic.bodyBytes >= limits.totalBytes) {
      throw new NotSent(
        `the target has sent ${limits.totalBytes} bytes, as many as the run may read (limits.totalBytes)`,
        'byte-limit',
      )
    }
    if (late) throw new NotSent(timeIsUp, 'time-limit')
    if (full) throw full
  }

  /** Ends what may last for long, such as an archive, when the run has to end. */
  #untilDeadline(): AbortSignal {
    const { signal } = this.#options
    const remaining = this.#remaining()
    if (remaining === Number.POSITIVE_INFINITY) return signal
    const over = new AbortController()
    const timer = setTimeout(() => over.abort(new NotSent(timeIsUp, 'time-limit')), Math.min(remaining, longestTimer))
    timer.unref()
    return AbortSignal.any([signal, over.signal])
  }

  /** How long requests may still be sent. Milliseconds. */
  #remaining(): number {
    const { deadline, clock } = this.#options
    return deadline === undefined ? Number.POSITIVE_INFINITY : deadline - clock.now()
  }

  #recorded(spec: RequestSpec, wire: WireRequest, response: ReceivedResponse, elapsed: number): Exchange {
    this.#silence.heard(endpointLabel(spec.endpoint))
    this.#totals.answered(countedAs(endpointLabel(spec.endpoint)), sizeOf(response), elapsed)
    this.traffic.received(response.body)
    const { bodies, quota } = this.traffic
    const headers = bodies.repeated.lines(wire.headers)
    const request = { ...wire, headers, endpoint: endpointLabel(spec.endpoint), as: spec.as.label }
    this.#sequence += 1
    const body = this.#known(bodies.of(response.body))
    const { dialect } = this.#options
    quota.see(response)
    const answer = { ...response, headers: bodies.repeated.lines(response.headers) }
    const exchange = new Exchange(`x${this.#sequence}`, request, answer, elapsed, dialect, body, quota)
    this.#options.onExchange?.(exchange)
    return exchange
  }

  /** The same body as an earlier one, while somebody holds that: it is kept and parsed once. */
  #known(body: Body): Body {
    const known = this.#bodies.get(body.hash)?.deref()
    if (known) return known
    this.#bodies.set(body.hash, new WeakRef(body))
    this.traffic.bodies.add(body)
    return body
  }

  #mayAnswer(spec: RequestSpec, wire: WireRequest): void {
    this.#transport.admit(wire, () => {
      const gone = this.#silence.of(endpointLabel(spec.endpoint))
      if (gone) throw gone
    })
  }

  #unansweredBy(spec: RequestSpec, wire: WireRequest, result: Exchange | NoAnswer, tried: number, elapsed: number): NoAnswer {
    const what =
      result instanceof Exchange ? `answered ${result.status}${result.throttled ? ', too many requests' : ''}` : result.message
    const effort = `tried ${tried} ${tried === 1 ? 'time' : 'times'} in ${(elapsed / 1000).toFixed(1)} s`
    const traits = result instanceof NoAnswer ? result.traits : rejectionOf(result)
    const error = new NoAnswer(`${wire.method} ${wire.shown?.url ?? wire.url}: ${what} (${effort})`, traits)
    if (result instanceof NoAnswer) this.#silence.unheard(endpointLabel(spec.endpoint), error)
    return error
  }

  #mayWrite(spec: RequestSpec): void {
    if (this.#options.readOnly && spec.endpoint.method !== 'GET') {
      throw new NotSent(`--read-only does not permit ${spec.endpoint.method}`, 'read-only')
    }
  }

  #wire(spec: RequestSpec, options: SendOptions): WireRequest {
    return { ...spell(spec, this.#options), ...(options.tapped ? { tapped: true } : {}) }
  }
}

/** The traits of a request whose every attempt was rejected. */
function rejectionOf({ status, throttled, request }: Exchange): NoAnswerTraits {
  return { status, ...(throttled ? { throttled: { caller: request.as } } : {}) }
}

/** What may have taken effect is not sent twice, and what is refused for its size not either. */
function mayRepeat({ method }: WireRequest, { traits }: NoAnswer): boolean {
  return !traits.final && (isRepeatable(method) || traits.unsent === true)
}

function retryHeaders(result: Exchange | NoAnswer): [string | undefined, string | undefined] {
  return result instanceof Exchange ? [result.header('retry-after'), result.header('date')] : [undefined, undefined]
}
