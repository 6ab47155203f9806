import type { ReachableConfig } from '../config/config.ts'
import { NotSent } from '../http/exchange/not-sent.ts'
import type { CheckRecord } from '../record/check-record.ts'
import type { LaneName } from '../record/lane-name.ts'
import { lackOf, type MissingNeed, needsIn, type Reason } from '../record/reason.ts'
import { inRunningOrder } from '../run/engine/scheduler.ts'
import { judge } from '../run/judge/judge.ts'
import { openSession } from '../run/judge/session.ts'
import { howToGive, needCatalogue } from '../run/needs/need-catalogue.ts'
import type { Provider, ProviderAnswer } from '../run/needs/provider.ts'
import { splitSelection } from '../run/selection/cross-version.ts'
import type { PlacedCheck } from '../run/selection/selection.ts'
import type { Area } from '../spec/endpoints.ts'
import type { Level } from '../spec/requirements.ts'
import { latestVersion, newestOf } from '../spec/versions.ts'
import type { Check } from '../suite/check.ts'

/** The expected result of a check in one lane, as far as its needs decide. */
export interface RehearsedCheck {
  readonly lane: LaneName
  readonly id: string
  readonly area: Area
  readonly level: Level
  readonly state: 'judged' | 'untested' | 'inapplicable'
  /** The needs that it lacks. */
  readonly missing: readonly MissingNeed[]
  /** It must find the object of its request itself, so a target that hides unknown objects from every caller leaves it untested. */
  readonly doubtful: boolean
}

/** The sources of test data in a rehearsal. */
export interface RehearsalOptions {
  readonly readOnly?: boolean
  /** The provider of the configuration, which is asked for values only. */
  readonly provider?: Pick<Provider, 'ask'> | undefined
  /** The needs for which its module has functions, where they are known. */
  readonly offered?: ReadonlySet<string> | undefined
  /** The provider is not asked at all. */
  readonly unasked?: boolean
  /** Needs that count as supplied, to find out the effect of supplying them. */
  readonly given?: ReadonlySet<string>
}

/** The expected results, and the needs that count as supplied because the provider is asked for them only during a run. */
export interface Rehearsal {
  readonly checks: readonly RehearsedCheck[]
  readonly assumed: readonly string[]
}

/**
 * Judges a selection with the engine of a run that may send no request. A check is expected to be judged if it reaches its first
 * request, and untested if it lacks a need before.
 */
export async function rehearse(
  config: ReachableConfig,
  selection: readonly PlacedCheck[],
  options: RehearsalOptions = {},
): Promise<Rehearsal> {
  const { provider: _, ...bare } = config
  const { perVersion, across } = splitSelection(selection, config.versions)
  const lanes = config.versions.map((apiVersion) => ({ lane: apiVersion as LaneName, apiVersion, placed: perVersion }))
  const newest = newestOf(config.versions) ?? latestVersion
  const assumed = new Set<string>()
  const provider = options.provider || options.given ? { provider: cautious(options, assumed) } : {}
  const checks: RehearsedCheck[] = []
  for (const { lane, apiVersion, placed } of [...lanes, { lane: 'across' as const, apiVersion: newest, placed: across }]) {
    const session = await openSession(bare, apiVersion, { readOnly: options.readOnly, maxRequests: 0, ...provider })
    for (const { check, suite } of inRunningOrder(placed)) {
      checks.push(expectation(lane, check, await judge(check, suite, session), config, options))
    }
    await session.client.close()
  }
  return { checks, assumed: [...assumed].sort() }
}

/** Relays questions about values to a provider. Other needs count as supplied, since an answer would create objects. */
function cautious({ provider, offered, unasked = false, given }: RehearsalOptions, assumed: Set<string>): Provider {
  const suppose = (name: string): never => {
    if (!given?.has(name)) assumed.add(name)
    throw new NotSent({ code: 'request-limit', requests: 0 })
  }
  return {
    async ask(name, specifics): Promise<ProviderAnswer> {
      const { kind, example } = needCatalogue.get(name) ?? {}
      const isValue = kind === 'value' && name !== 'token'
      if (given?.has(name)) return isValue && example ? { given: example } : suppose(name)
      if (!provider) return { unsupported: 'there is no provider' }
      if (offered && !offered.has(name)) return { unsupported: `the provider module has no function "${name}"` }
      return isValue && !unasked ? provider.ask(name, specifics) : suppose(name)
    },
    release: async () => {},
  }
}

function expectation(
  lane: LaneName,
  check: Check,
  { id, area, level, outcome, reason }: CheckRecord,
  config: ReachableConfig,
  options: RehearsalOptions,
): RehearsedCheck {
  const lack = lackIn(reason) ?? lackLater(check, config, options)
  const missing = outcome === 'inapplicable' ? [] : needsIn(lack)
  const state = outcome === 'inapplicable' ? 'inapplicable' : missing.length > 0 ? 'untested' : 'judged'
  return { lane, id, area, level, state, missing, doubtful: state === 'judged' && lacksObject(check, config, options) }
}

function lackIn(reason: Reason | undefined): Reason | undefined {
  return needsIn(reason).length > 0 ? reason : undefined
}

/** The needs that a check requests after its first request and that no source supplies. */
function lackLater(
  { asks = [], matrix }: Check,
  { tokens, needs }: ReachableConfig,
  { provider, offered, given }: RehearsalOptions,
): Reason | undefined {
  const isSupplied = (name: string) =>
    given?.has(name) || (provider !== undefined && (offered?.has(name) ?? true)) || (needs as Record<string, unknown>)[name]
  const hasToken = tokens.some(({ kind }) => matrix === undefined || kind === matrix.kind)
  const lacking = asks.filter((name) => {
    // Rows of the permission matrix find many objects themselves.
    if (name === 'permission-target') return false
    return !(isSupplied(name) || (name === 'token' && hasToken))
  })
  return lacking.length === 0 ? undefined : lackOf(lacking.map((need) => ({ need, how: howToGive(need) })))
}

/** True for a row of the permission matrix that must find the object of its request itself. */
function lacksObject({ asks = [] }: Check, { needs }: ReachableConfig, { provider, given }: RehearsalOptions): boolean {
  const isSupplied = given?.has('permission-target') || needs['permission-target'] !== undefined || provider !== undefined
  return asks.includes('permission-target') && !isSupplied
}
