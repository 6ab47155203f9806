import { endpointLabel } from '../../../spec/endpoints.ts'
import type { ApiVersion } from '../../../spec/versions.ts'
import { remembered } from '../../../text/data.ts'
import { counted } from '../../../text/format.ts'
import type { Caller } from '../../exchange/caller.ts'
import {
  type Exchange,
  QuotaHeaders,
  remainingOf,
  type WireRequest,
} from '../../exchange/exchange.ts'
import { NoResponse } from '../../exchange/no-response.ts'
import type { RequestSpec } from '../../exchange/request-spec.ts'
import * as retry from '../../exchange/retry.ts'
import { type Clock, requests } from '../time/clock.ts'
import { Pace, type PaceLimits } from './pace.ts'

/** The most unanswered requests in a row to one endpoint. */
const endpointLimit = 4

/** The most unanswered requests in a row to a target that responded before, and the fewest endpoints among them. */
const targetLimit = { requests: 8, endpoints: 3 }

/** How often a silent target or endpoint receives another request. Milliseconds. */
const probeInterval = 2000

/** Multiples of the time-out: how long a silent target gets further requests, and how long one request with its repeats takes. */
const timeouts = { silence: 6, request: 3 }

/** A silent endpoint or target: the error, and the time of its next request. */
interface Silence {
  readonly error: NoResponse
  readonly since: number
  next: number
}

/** Stops requests to a silent target or endpoint, except one in each interval (readings G9). All times are in milliseconds. */
export class CircuitBreaker {
  readonly #timeout: number
  readonly #open = new Map<string, Silence>()
  /** Unanswered requests in a row, by endpoint. */
  readonly #missed = new Map<string, number>()
  /** The requests that were given up since the last response. */
  #lost: { readonly endpoint: string; readonly time: number }[] = []
  /** The target responded before and is silent. */
  #silence: Silence | undefined
  /** The error that ended all requests. */
  #targetError: NoResponse | undefined
  #hasSucceeded = false

  constructor(timeout: number) {
    this.#timeout = timeout
  }

  /** The time that a request waits for a silent target. In each interval one request does not wait, so that the end of the silence is noticed. */
  waitFor(now: () => number) {
    const silence = this.#silence
    if (!silence || this.#targetError) return 0
    const time = now()
    if (time - silence.since > timeouts.silence * this.#timeout) this.#targetError = silence.error
    else if (time < silence.next) return silence.next - time
    silence.next = time + this.#intervalAfter(silence.error)
    return 0
  }

  /** True before the first response, after a lost request to this endpoint, and after any lost request since the last response. */
  hasMissed(endpoint: string) {
    return !this.#hasSucceeded || this.#lost.length > 0 || this.#missed.has(endpoint)
  }

  /** The error that stopped requests to an endpoint; undefined while requests may be sent. */
  errorFor(endpoint: string, now: () => number) {
    if (this.#targetError) return this.#targetError
    const silence = this.#open.get(endpoint)
    const isStopped = silence !== undefined && !this.#silence && !this.#mayProbe(silence, now)
    return isStopped ? silence.error : undefined
  }

  /** Records a response of any status. */
  recordSuccess(endpoint: string) {
    if (this.#silence) this.#open.clear()
    this.#silence = undefined
    this.#hasSucceeded = true
    this.#lost = []
    this.#missed.delete(endpoint)
    this.#open.delete(endpoint)
  }

  /** Records a request that was given up. */
  recordFailure(endpoint: string, error: NoResponse, now: () => number) {
    const time = now()
    // A server that is starting responds with a temporary error.
    if (!this.#hasSucceeded && error.traits.status !== undefined) return
    // An oversized response costs the most, and the next one is hardly smaller.
    const missed = (this.#missed.get(endpoint) ?? 0) + (error.traits.final ? 2 : 1)
    this.#missed.set(endpoint, missed)
    this.#lost.push({ endpoint, time })
    const silence = {
      error,
      since: this.#lost[0]?.time ?? time,
      next: time + this.#intervalAfter(error),
    }
    if (!this.#hasSucceeded || missed >= endpointLimit) this.#open.set(endpoint, silence)
    if (!this.#isTargetGone(error)) return
    if (this.#hasSucceeded) this.#silence ??= silence
    else this.#targetError = error
  }

  /** A request that ran into a time-out or received too much would cost as much again. */
  #mayProbe(silence: Silence, now: () => number) {
    const { timedOut, final } = silence.error.traits
    if (!this.#hasSucceeded || timedOut || final || now() < silence.next) return false
    silence.next = now() + probeInterval
    return true
  }

  #intervalAfter({ traits }: NoResponse) {
    return traits.timedOut ? timeouts.request * this.#timeout : probeInterval
  }

  #isTargetGone({ traits }: NoResponse) {
    const { size } = new Set(this.#lost.map(({ endpoint }) => endpoint))
    if (this.#hasSucceeded)
      return this.#lost.length >= targetLimit.requests && size >= targetLimit.endpoints
    return traits.unreachable === true || traits.malformed === true || size > 1
  }
}

/** When a quota has at most this many requests left, only controls are sent, because many checks need them. */
const reserve = 6

/** When a quota has at most this many requests left, no `extra` request is sent. */
const plenty = 500

/** Requests that only the user of a token may send. Others may be served in spite of an ended token. */
const ownPath = /^\/(user|notifications)(\/|$)/
const isOwn = ({ endpoint }: RequestSpec) => ownPath.test(endpoint.path ?? '')

/** The state of one caller, as the responses of a target have stated it (readings H6, G9a). Times are milliseconds of the run's clock. */
interface CallerState {
  /** When the caller may send again. */
  until: number
  /** The requests left in its quota, as the target stated them last. */
  left?: number
  /** When the quota is reset. */
  renewed: number
  /** The quota was larger before: a target may send 0 in every response. */
  isCounted: boolean
  /** The endpoints that throttled the caller each time, in spite of every wait. */
  readonly refusing: Set<string>
  /** The accepted request of an issued token that is repeated after a 401. */
  control?: RequestSpec
  /** The first served request for the inbox. */
  inbox?: RequestSpec
  /** The control is refused, so the token has ended. */
  hasEnded: boolean
}

/** The limits and the waits of a gate. */
export interface GateOptions {
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly maxRetryWaitSeconds: number
  readonly limits: PaceLimits & { readonly timeoutSeconds: number }
}

/** One request that asks the gate. */
export interface GateRequest {
  readonly spec: RequestSpec
  readonly wire: WireRequest
  /** The version whose server receives it: each version may have its own. */
  readonly server: ApiVersion
  /** The most attempts while no response arrives; three unless stated. */
  readonly attempts?: number
  /** The request belongs to the exclusive section that is running. */
  readonly exclusive?: boolean | undefined
}

/** Decides when a caller may send to a target. The clients of all versions share it. */
export type CallerGate = ReturnType<typeof callerGate>

/**
 * Makes the gate of a target. It decides from all responses so far: silences, throttling, quotas and the pace. A client asks before
 * each attempt and passes on each response.
 */
export function callerGate({ clock, signal, maxRetryWaitSeconds, limits }: GateOptions) {
  const pace = new Pace(limits, clock, signal)
  /** By token or label. */
  const callers = new Map<string, CallerState>()
  const breakers = new Map<ApiVersion, CircuitBreaker>()
  const quotaHeaders = new QuotaHeaders()
  const now = () => clock.now()
  return {
    pace,
    quotaHeaders,
    awaitFirst,
    inTurn,
    learnFrom,
    awaitNext,
    leftFor,
    rememberControl,
    controlsOf,
    end,
  }

  /** Waits before the first attempt while the target is silent. Throws {@link NoResponse} if the token has ended or earlier requests were lost. */
  async function awaitFirst({ spec, wire, server }: GateRequest) {
    const breaker = breakerOf(server)
    const silence = () => breaker.waitFor(now)
    for (let wait = silence(); wait > 0; wait = silence()) await clock.sleep(wait, signal)
    if (callerOf(spec.as).hasEnded) throw tokenEnded(spec.as, wire)
    const error = breaker.errorFor(endpointLabel(spec.endpoint), now)
    if (error)
      throw new NoResponse(
        `${describe(wire)}: not sent, because earlier requests were lost: ${error.message}`,
        error.traits,
      )
  }

  /** Sends one attempt when the quota of its caller and the pace permit. Throws {@link NoResponse} if the caller would wait too long (readings H6). */
  async function inTurn<Result>(request: GateRequest, send: () => Promise<Result>) {
    for (;;) {
      await admit(request)
      // The target may throttle the caller while the request waits for its turn.
      const isDelayed = () => callerOf(request.spec.as).until > clock.now()
      const sendTraced = async () => ({ sent: await requests.tracePromise(send, { clock }) })
      const passed = await pace.run(
        async () => (isDelayed() ? undefined : sendTraced()),
        request.exclusive,
      )
      if (passed) return passed.sent
    }
  }

  /** Learns from each response whether the target responds, when its caller may send again, and how many requests are left. */
  function learnFrom(server: ApiVersion, { endpoint, as }: RequestSpec, response: Exchange) {
    if (!retry.outages.has(response.status))
      breakerOf(server).recordSuccess(endpointLabel(endpoint))
    quotaHeaders.learnFrom(response)
    const caller = callerOf(as)
    const time = now()
    const left = remainingOf(response)
    if (left !== undefined) {
      caller.left = left
      caller.renewed = time + (retry.resetDelayOf(response, time) ?? 0)
      caller.isCounted ||= left > reserve
    }
    const told = response.throttled ? retry.statedWait(response, time) : undefined
    if (told !== undefined) caller.until = Math.max(time + told, caller.until)
  }

  /** Waits before the next attempt of a request. Throws the {@link NoResponse} of a request that is given up. */
  async function awaitNext(
    request: GateRequest,
    result: Exchange | NoResponse,
    tried: number,
    started: number,
  ) {
    const { spec, wire, server, attempts = retry.attempts } = request
    const elapsed = clock.now() - started
    const wait = waitAfter(spec.as, result, tried)
    const mayReturn =
      retry.isRestarting(result, elapsed) &&
      !breakerOf(server).hasMissed(endpointLabel(spec.endpoint))
    const most = mayReturn || retry.isThrottled(result) ? retry.patientAttempts : attempts
    const isLast = tried >= most || !retry.mayRepeat(wire, result)
    if (isLast || wait > maxRetryWaitSeconds * 1000) throw givenUp(request, result, tried, elapsed)
    await clock.sleep(wait, signal)
  }

  /** The requests left for a caller, as the target stated it last. Undefined if it states none. */
  function leftFor(as: Caller) {
    return callerOf(as).left
  }

  /** Remembers a served request for the inbox, and the control of an issued token (one with a kind): its first accepted GET, preferably one about its user. */
  function rememberControl(spec: RequestSpec, { ok }: Exchange) {
    const { endpoint, as } = spec
    const caller = callerOf(as)
    if (ok && endpointLabel(endpoint) === 'GET /notifications') caller.inbox ??= spec
    if (!ok || endpoint.method !== 'GET' || as.secret === undefined || as.kind === undefined) return
    if (!caller.control || (!isOwn(caller.control) && isOwn(spec))) caller.control = spec
  }

  /** The requests that were served to a caller before: one to repeat after a 401, and one for the inbox after a 422. */
  function controlsOf(as: Caller): Pick<CallerState, 'control' | 'inbox'> {
    return callerOf(as)
  }

  /** Sends no further request with a token whose control is refused. Returns the error of the refused request. */
  function end(as: Caller, wire: WireRequest): NoResponse {
    callerOf(as).hasEnded = true
    return tokenEnded(as, wire)
  }

  /** Anonymous callers are known by their labels, because archive addresses have their own quota. */
  function callerOf({ secret, label }: Caller): CallerState {
    const unknown = () => ({
      until: 0,
      renewed: 0,
      isCounted: false,
      refusing: new Set<string>(),
      hasEnded: false,
    })
    return remembered(callers, secret ?? label, unknown)
  }

  function breakerOf(server: ApiVersion): CircuitBreaker {
    return remembered(breakers, server, () => new CircuitBreaker(limits.timeoutSeconds * 1000))
  }

  /** Waits for as long as the target stated. Throws {@link NoResponse} if that is too long, or if the rest of the quota is reserved. */
  async function admit({ spec: { as, endpoint, control, extra }, wire }: GateRequest) {
    const refuse = (why: string, until?: string) => {
      const throttled = { caller: as.label, ...(until === undefined ? {} : { until }) }
      throw new NoResponse(`${describe(wire)}: not sent, because the caller ${as.label} ${why}`, {
        throttled,
        unsent: true,
      })
    }
    const time = clock.now()
    const longest = time + maxRetryWaitSeconds * 1000
    const { until, left = 0, renewed, isCounted, refusing } = callerOf(as)
    if (refusing.has(endpointLabel(endpoint))) refuse('is throttled here after each wait')
    if (!control && isCounted && left <= (extra ? plenty : reserve) && renewed > longest)
      refuse(`has few requests left, which are kept for ${extra ? 'other checks' : 'controls'}`)
    if (until <= time) return
    const stated = new Date(until).toISOString()
    if (until > longest) refuse(`is told to wait until ${stated}`, stated)
    await clock.sleep(until - time, signal)
  }

  /** Milliseconds until a request is sent again. A throttled caller waits at least for the time that the target stated. */
  function waitAfter(as: Caller, result: Exchange | NoResponse, tried: number) {
    if (!retry.isThrottled(result)) return retry.delayBefore(tried, result)
    const stated = callerOf(as).until - now()
    if (stated > 0 && tried === 1) return stated
    pace.slowDown()
    return Math.max(stated, 1000 * 2 ** (tried - 1))
  }

  function givenUp(
    { spec, wire, server }: GateRequest,
    result: Exchange | NoResponse,
    tried: number,
    elapsed: number,
  ) {
    const reason =
      result instanceof NoResponse
        ? result.message
        : `answered ${result.status}${result.throttled ? ', too many requests' : ''}`
    const effort = `tried ${counted(tried, 'time')} in ${(elapsed / 1000).toFixed(1)} s`
    const throttled = retry.isThrottled(result) ? { throttled: { caller: spec.as.label } } : {}
    const traits =
      result instanceof NoResponse ? result.traits : { status: result.status, ...throttled }
    const isLost = result instanceof NoResponse || retry.outages.has(result.status)
    const endpoint = endpointLabel(spec.endpoint)
    if (retry.isThrottled(result) && tried > 1) callerOf(spec.as).refusing.add(endpoint)
    if (isLost)
      breakerOf(server).recordFailure(
        endpoint,
        new NoResponse(`${reason} (${effort})`, traits),
        now,
      )
    return new NoResponse(`${describe(wire)}: ${reason} (${effort})`, traits)
  }

  function tokenEnded({ label }: Caller, wire: WireRequest): NoResponse {
    const message = `${describe(wire)}: the token ${label} was accepted earlier and is refused now (401)`
    return new NoResponse(message, { ended: { caller: label } })
  }
}

const describe = ({ method, url, display }: WireRequest) => `${method} ${display?.url ?? url}`
