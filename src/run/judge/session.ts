import type { Config } from '../../config/config.ts'
import type { Client } from '../../http/client.ts'
import { Client as TargetClient } from '../../http/client.ts'
import { type Clock, systemClock } from '../../http/clock.ts'
import { Dialect } from '../../http/dialect.ts'
import type { Exchange } from '../../http/exchange.ts'
import { Redactor } from '../../http/redaction.ts'
import type { ExchangeRecord, RequestTotals } from '../../record/exchange-record.ts'
import type { Observation } from '../../record/report.ts'
import type { Difference } from '../../record/run-record.ts'
import type { ApiVersion } from '../../spec/versions.ts'
import { Poller } from '../../suite/polling.ts'
import { NeedResolver } from '../needs/need-resolver.ts'
import { openProvider, type Provider } from '../needs/provider.ts'
import { Slots } from './slots.ts'
import { type Made, undoAll } from './undo.ts'

/** What is being waited for, for the progress display. */
export interface Waiting {
  readonly what: string
  readonly seconds: number
}

/** How one version of a target is judged. */
export interface SessionOptions {
  readonly config: Config & { target: { baseUrl: string } }
  readonly apiVersion: ApiVersion
  /** Identifies the run towards the provider. */
  readonly run: string
  readonly seed: number
  readonly readOnly?: boolean
  readonly maxRequests?: number
  readonly clock?: Clock
  readonly signal?: AbortSignal
  /** Where the provider lives, when it is not what the configuration names. */
  readonly provider?: Provider
  readonly onExchange?: (totals: RequestTotals) => void
  readonly onWait?: (waiting: Waiting) => void
}

/** Everything that the checks of one version share: one client, one set of needs, one record. */
export class Session {
  readonly options: SessionOptions
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly client: Client
  readonly poller: Poller
  readonly needs: NeedResolver
  readonly redactor = new Redactor()
  readonly slots: Slots
  readonly exchanges: Exchange[] = []
  readonly observations: Observation[] = []
  readonly differences: Difference[] = []
  /** What the run made on the target and could not remove. */
  readonly leftBehind: string[] = []
  /** What checks made once for all of them, and how it is undone at the end. */
  readonly shared = new Map<string, Promise<unknown>>()
  readonly made: Made[] = []
  readonly #provider: Provider | undefined

  private constructor(options: SessionOptions, provider: Provider | undefined) {
    const { config, apiVersion } = options
    this.options = options
    this.#provider = provider
    this.clock = options.clock ?? systemClock
    this.signal = options.signal ?? new AbortController().signal
    this.slots = new Slots(config.limits.concurrency)
    this.client = new TargetClient({
      baseUrl: config.target.baseUrl,
      apiVersion,
      dialect: new Dialect(config.target.dialect),
      limits: config.limits,
      maxRetryWaitSeconds: config.polling.maxWaitSeconds,
      clock: this.clock,
      signal: this.signal,
      readOnly: options.readOnly ?? false,
      ...(options.maxRequests === undefined ? {} : { maxRequests: options.maxRequests }),
      onExchange: (exchange) => {
        this.exchanges.push(exchange)
        options.onExchange?.(this.client.totals)
      },
    })
    this.poller = new Poller({
      client: this.client,
      clock: this.clock,
      signal: this.signal,
      ...config.polling,
      ...(config.target.rateLimit ? { quota: config.target.rateLimit } : {}),
      onWait: (what, seconds) => options.onWait?.({ what, seconds }),
    })
    this.needs = new NeedResolver(config, apiVersion, provider, this.redactor)
  }

  /** Opens the provider and the client; nothing is sent to the target yet. */
  static async open(options: SessionOptions): Promise<Session> {
    const { config, run, apiVersion } = options
    const signal = options.signal ? { signal: options.signal } : {}
    const settings = { run, apiVersion, timeoutSeconds: config.limits.timeoutSeconds, ...signal }
    const provider =
      options.provider ?? (config.provider === undefined ? undefined : await openProvider(config.provider, settings))
    return new Session(options, provider)
  }

  /** The report's form of an exchange. */
  record(exchange: Exchange): ExchangeRecord {
    return exchange.record(this.redactor, this.options.config.report.bodyCharacters)
  }

  /** Lets the provider remove what the run made; returns what went wrong, as a warning. */
  async release(): Promise<string | undefined> {
    try {
      await undoAll(this.made, this.leftBehind)
      await this.#provider?.release()
      return undefined
    } catch (error) {
      return this.redactor.redact(`the provider could not remove what the run made: ${(error as Error).message}`)
    } finally {
      await this.client.close()
    }
  }
}
