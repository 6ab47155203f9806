import type { Config, ReachableConfig } from '../config/config.ts'
import { NotSent } from '../http/exchange/no-response.ts'
import { nextTurn } from '../http/transport/time/timers.ts'
import type { CheckRecord } from '../record/check-record.ts'
import type { LaneName } from '../record/lane-name.ts'
import { type MissingNeed, needsIn } from '../record/reason.ts'
import type { ShowStep } from '../report/terminal/progress.ts'
import { inRunningOrder } from '../run/engine/scheduler.ts'
import { judge } from '../run/judge/judge.ts'
import { openSession } from '../run/judge/session.ts'
import type { Provider } from '../run/needs/provider.ts'
import { lanesOf, type PlacedCheck } from '../run/selection/selection.ts'
import { catalogueOf, type NeedDescription } from '../suite/catalogue.ts'
import type { Check } from '../suite/check.ts'

/** The expected result of a check in one lane, judged by its needs. */
export interface ForecastCheck extends Readonly<Pick<CheckRecord, 'id' | 'area' | 'level'>> {
  readonly lane: LaneName
  /** `passed`: the check is judged. */
  readonly outcome: 'passed' | 'untested' | 'inapplicable'
  /** The needs that it lacks. */
  readonly missing: readonly MissingNeed[]
  /** It must find the object of its request itself, so a target that hides unknown objects from every caller leaves it untested. */
  readonly doubtful: boolean
}

/** The sources of test data in a forecast. */
export interface ForecastOptions {
  readonly readOnly?: boolean
  /** The provider of the configuration, which is asked for values only. It throws `NotSent` if a need counts as supplied. */
  readonly provider?: Pick<Provider, 'ask'> | undefined
  /** The needs for which the provider's module has functions; undefined if they are unknown. */
  readonly offered?: ReadonlySet<string> | undefined
  /** A need that counts as supplied, to find out the effect of supplying it. */
  readonly given?: string
  /** Receives the number of the forecast checks. */
  readonly showStep?: ShowStep
  /** Ends the forecast. */
  readonly signal?: AbortSignal
}

/** The expected results, and the needs that count as supplied because the provider is asked for them only during a run. */
export interface ForecastChecks {
  readonly checks: readonly ForecastCheck[]
  readonly assumed: readonly string[]
}

/** Judges a selection without sending requests. A check that reaches its first request would be judged; a check without its needs would not. */
export async function forecastChecks(
  config: ReachableConfig,
  selection: readonly PlacedCheck[],
  options: ForecastOptions = {},
) {
  const { provider: _, ...bare } = config
  const assumed = new Set<string>()
  const provider =
    options.provider || options.given ? cautious(options, earlyNeeds(config), assumed) : undefined
  const checks: ForecastCheck[] = []
  const lanes = lanesOf(config.versions, selection)
  const total = lanes.reduce((sum, { placed }) => sum + placed.length, 0)
  for (const { lane, apiVersion, placed } of lanes) {
    const session = await openSession(bare, apiVersion, {
      readOnly: options.readOnly,
      maxRequests: 0,
      provider,
    })
    for (const { check, suite } of inRunningOrder(placed)) {
      options.showStep?.('predicting which checks can be judged', checks.length + 1, total)
      // An interruption has its turn.
      await nextTurn()
      options.signal?.throwIfAborted()
      const record = await judge(check, suite, session)
      checks.push({
        lane,
        ...expectation(record, lackingLater(check, config, options), options.given),
      })
    }
    await session.client.close()
  }
  return { checks, assumed: [...assumed].sort() }
}

/** The needs of which a provider may be asked before a run: the response creates no object. */
export function earlyNeeds(config: Config): ReadonlyMap<string, NeedDescription> {
  return new Map(
    [...catalogueOf(config).needs].filter(
      ([name, { kind }]) => kind === 'value' && name !== 'token',
    ),
  )
}

/** Relays questions about values to a provider. Other needs count as supplied, since a response would create objects. */
function cautious(
  { provider, offered, given }: ForecastOptions,
  early: ReturnType<typeof earlyNeeds>,
  assumed: Set<string>,
): Provider {
  const suppose = (name: string) => {
    if (given !== name) assumed.add(name)
    throw new NotSent({ code: 'request-limit', requests: 0 })
  }
  return {
    async ask(name, specifics) {
      const example = early.get(name)?.examples.find((one) => one.with === undefined)
      if (given === name) return example ? { given: example.given } : suppose(name)
      if (!provider) return { unsupported: 'there is no provider' }
      if (offered && !offered.has(name))
        return { unsupported: `the provider module has no function "${name}"` }
      return early.has(name) ? provider.ask(name, specifics) : suppose(name)
    },
    release: async () => {},
  }
}

/** The needs that a check requests after its first request and that no source supplies. */
function lackingLater(
  { asks = [], matrix }: Check,
  config: ReachableConfig,
  options: ForecastOptions,
): MissingNeed[] {
  const { tokens, needs } = config
  const { provider, offered, given } = options
  const isOffered = (name: string) => provider !== undefined && (offered?.has(name) ?? true)
  const hasToken = tokens.some(({ kind }) => matrix === undefined || kind === matrix.kind)
  const isSupplied = (name: string) =>
    given === name || isOffered(name) || needs[name] !== undefined || (name === 'token' && hasToken)
  const lacking = asks.filter((name) => !isSupplied(name))
  return lacking.map((name) => catalogueOf(config).missing({ type: 'need', name }))
}

/** Rows of the permission matrix find many objects themselves, so a permission target that is lacking makes them doubtful only. */
function expectation(
  record: CheckRecord,
  lacks: readonly MissingNeed[],
  given?: string,
): Omit<ForecastCheck, 'lane'> {
  const { id, area, level, outcome, reason } = record
  if (outcome === 'inapplicable') return { id, area, level, outcome, missing: [], doubtful: false }
  const later = lacks.filter(({ need }) => need !== 'permission-target')
  // The need that counts as supplied may have a value that does not fit.
  const open = needsIn(reason).filter(({ need }) => need !== given)
  const missing = open.length > 0 ? open : later
  if (missing.length > 0) return { id, area, level, outcome: 'untested', missing, doubtful: false }
  return { id, area, level, outcome: 'passed', missing, doubtful: later.length < lacks.length }
}
