import { randomUUID } from 'node:crypto'
import type { ReachableConfig } from '../../config/config.ts'
import { Client } from '../../http/client.ts'
import { Dialect } from '../../http/dialect/dialect.ts'
import type { Exchange } from '../../http/exchange/exchange.ts'
import { Redactor } from '../../http/redaction/redaction.ts'
import { type Clock, systemClock } from '../../http/transport/time/clock.ts'
import type { Traffic } from '../../http/transport/traffic.ts'
import type { RequestTotals } from '../../record/exchange-record.ts'
import type { Waiting } from '../../record/progress-event.ts'
import type { Difference, Observation } from '../../record/run-record.ts'
import type { ApiVersion } from '../../spec/versions.ts'
import { Poller } from '../../suite/polling/poller.ts'
import { messageOf } from '../../text/errors.ts'
import { type NeedResolver, needResolver } from '../needs/need-resolver.ts'
import { openProvider, type Provider } from '../needs/provider.ts'
import type { RunPlan } from '../selection/selection.ts'
import { ExchangeLog } from './exchange-log.ts'
import { Patience } from './patience.ts'
import { Slots } from './slots.ts'
import { type CreatedObject, undoAll } from './trace.ts'

/** The settings of a session, besides the configuration and the version: those of its run, and parts that sessions share. */
export interface SessionSettings extends Partial<Pick<RunPlan, 'maxRequests'>> {
  /** The name of the run for the provider; a new one unless given. */
  readonly run?: string | undefined
  /** The seed of the property checks; 1 unless given. */
  readonly seed?: number | undefined
  readonly readOnly?: boolean | undefined
  readonly clock?: Clock | undefined
  readonly signal?: AbortSignal | undefined
  /** The provider, if it is not that of the configuration. */
  readonly provider?: Provider | undefined
  /** The connections and the slots for checks that the versions of a run share. */
  readonly traffic?: Traffic | undefined
  readonly slots?: Slots | undefined
  /** The lags that the versions of a run have seen. */
  readonly patience?: Patience | undefined
  /** The endpoints whose exchanges later checks examine; all unless given. */
  readonly lookedUp?: ReadonlySet<string> | undefined
  readonly onExchange?: ((totals: RequestTotals, exchange: Exchange) => void) | undefined
  readonly onWait?: ((waiting: Waiting) => void) | undefined
  readonly onWaited?: ((waiting: Waiting) => void) | undefined
}

/** All settings for judging one version of a target. */
export type SessionOptions = SessionSettings &
  Pick<RunPlan, 'run' | 'seed' | 'config'> & { readonly apiVersion: ApiVersion }

/** Opens the session of one version, without a request. Throws `ProviderFailure` if the module of the provider cannot be loaded. */
export async function openSession(
  config: ReachableConfig,
  apiVersion: ApiVersion,
  settings: SessionSettings = {},
) {
  const { run = randomUUID(), seed = 1, signal } = settings
  const providerRun = { run, apiVersion, timeoutSeconds: config.limits.timeoutSeconds, signal }
  const { provider: address } = config
  const provider =
    settings.provider ??
    (address === undefined ? undefined : await openProvider(address, providerRun))
  return new Session({ ...settings, config, apiVersion, run, seed }, provider)
}

/** The slots for checks: two more than for requests, since some checks wait for the responses of others. */
export function slotsFor({ limits }: Pick<ReachableConfig, 'limits'>) {
  return new Slots(limits.concurrency + 2)
}

/** A value that several checks share, the exchanges of its creation, and the effects that were missed meanwhile. */
export interface SharedValue {
  readonly value: Promise<unknown>
  readonly exchanges: ReadonlySet<Exchange>
  readonly suspicions: ReadonlySet<string>
  isMade: boolean
}

/** The state that the checks of one version share: the client, the needs and the recorded exchanges. */
export class Session {
  readonly options: SessionOptions
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly dialect: Dialect
  readonly client: Client
  readonly poller: Poller
  readonly needs: NeedResolver
  readonly redactor: Redactor
  readonly slots: Slots
  readonly exchanges: ExchangeLog
  readonly observations: Observation[] = []
  readonly differences: Difference[] = []
  /** The objects that the run created on the target and has not removed, in the order of their creation. */
  readonly leftBehind: string[] = []
  /** The values that were made for all checks, by their name. */
  readonly shared = new Map<string, SharedValue>()
  /** The objects that were created for all checks. They are removed at the end. */
  readonly made: CreatedObject[] = []
  /** How late the effects of the target are. The versions of a run share it. */
  readonly patience: Patience
  /** The checks that lost their connection and have no verdict. */
  readonly dropped = new Set<string>()
  readonly #provider: Provider | undefined
  readonly #waited = new Map<string, number>()
  /** The endpoints whose requests were redirected within the target (readings H7). */
  readonly #redirected = new Set<string>()

  constructor(options: SessionOptions, provider: Provider | undefined) {
    const { config, apiVersion } = options
    this.options = options
    this.#provider = provider
    this.redactor = new Redactor()
    this.clock = options.clock ?? systemClock
    this.signal = options.signal ?? new AbortController().signal
    this.slots = options.slots ?? slotsFor(config)
    this.patience = options.patience ?? new Patience(config.polling.maxWaitSeconds)
    this.exchanges = new ExchangeLog(this.redactor, {
      ...config.report,
      lookedUp: options.lookedUp,
    })
    this.dialect = new Dialect(config.target.dialect, (credential, label) =>
      this.redactor.add(credential, label),
    )
    for (const [variable, secret] of Object.entries(config.target.dialect?.secrets ?? {}))
      this.redactor.add(secret, variable)
    this.client = this.#newClient()
    this.poller = this.#newPoller()
    const { redactor, dialect } = this
    this.needs = needResolver({ config, version: apiVersion, provider, redactor, dialect })
  }

  #newClient() {
    const { config, apiVersion, traffic, readOnly = false, maxRequests, onExchange } = this.options
    return new Client({
      traffic,
      baseUrl: config.target.baseUrl,
      apiVersion,
      dialect: this.dialect,
      limits: config.limits,
      maxRetryWaitSeconds: config.polling.maxWaitSeconds,
      clock: this.clock,
      signal: this.signal,
      readOnly,
      maxRequests,
      onExchange: (exchange) => {
        this.exchanges.add(exchange)
        const { endpoint, redirectedFrom } = exchange.request
        if (redirectedFrom !== undefined) this.#redirected.add(endpoint)
        onExchange?.(this.client.totals, exchange)
      },
    })
  }

  #newPoller() {
    const { config } = this.options
    const { polling, target } = config
    return new Poller({
      client: this.client,
      clock: this.clock,
      signal: this.signal,
      ...polling,
      quota: target.rateLimit,
      pause: (what, seconds) => this.pause({ what, seconds, check: '' }),
    })
  }

  /** Waits by the clock of the run, without the slot of the waiting check. */
  wait(waiting: Waiting) {
    return this.slots.vacate(() => this.pause(waiting))
  }

  /** Waits by the clock of the run, and reports it. */
  async pause(waiting: Waiting) {
    this.#waited.set(waiting.what, (this.#waited.get(waiting.what) ?? 0) + waiting.seconds)
    this.options.onWait?.(waiting)
    await this.clock.sleep(waiting.seconds * 1000, this.signal)
    this.options.onWaited?.(waiting)
  }

  /** The numbers of requests and the times of the waits. */
  traffic() {
    const waited = [...this.#waited]
      .map(([what, seconds]) => ({ what, seconds }))
      .sort((a, b) => b.seconds - a.seconds)
    return {
      ...this.client.totals,
      byEndpoint: this.client.counts.byEndpoint(),
      waited,
      lags: this.patience.lags(),
    }
  }

  /** Removes the objects that were created for all checks. */
  cleanUp() {
    return undoAll(this.made, this.leftBehind)
  }

  /** Removes the objects of the run, asks the provider to remove its own, and closes the connections. Resolves to a warning if that failed. */
  async release() {
    for (const what of this.client.notes) this.observations.push({ topic: 'connections', what })
    for (const endpoint of this.#redirected)
      this.observations.push({
        endpoint,
        topic: 'redirects',
        what: 'within the target',
        permits: 'a direct response',
      })
    try {
      await this.cleanUp()
      await this.#provider?.release()
      return undefined
    } catch (error) {
      return this.redactor.redact(
        `the provider could not remove the test data of the run: ${messageOf(error)}`,
      )
    } finally {
      await this.client.close()
    }
  }
}
