import { randomUUID } from 'node:crypto'
import { atOneAddress, baseUrlOf } from '../config/addresses.ts'
import type { ReachableConfig } from '../config/config.ts'
import { mustDiffer } from '../config/contradictions.ts'
import { Redactor } from '../http/redaction/redaction.ts'
import { systemClock } from '../http/transport/clock.ts'
import type { PreflightRecord } from '../record/preflight-record.ts'
import { openSession, type Session } from '../run/judge/session.ts'
import { callersOf } from '../run/needs/tokens.ts'
import type { PlacedCheck } from '../run/selection/selection.ts'
import { latestVersion } from '../spec/versions.ts'
import { endpointOf } from '../suite/check.ts'
import { type ApiProbe, findApi, findPrefix } from './api-probe.ts'
import type { Obstacle } from './obstacle.ts'
import { moduleSlips, providerObstacle } from './provider-probe.ts'
import { portObstacle, tlsObstacle } from './reachability.ts'
import { probeTokens, sameLogin, type TokenProbe } from './token-probe.ts'

/** The result of a preflight: the facts for the record, and the obstacle to a run, if there is one. */
export interface Preflight {
  readonly facts: PreflightRecord
  readonly obstacle?: Obstacle
}

/** Finds out in a few reads whether a run can begin: the target, the provider, asked in the name of `run`, and every token. Nothing is changed. */
export async function preflight(
  config: ReachableConfig,
  selection: readonly PlacedCheck[],
  run: string = randomUUID(),
): Promise<Preflight> {
  const facts = emptyFacts(config)
  const port = await closedAddress(config)
  if (port) return { facts, obstacle: port }
  const session = await openTarget(config)
  try {
    const api = await findApi(
      session,
      selection.map(({ check, suite }) => endpointOf(check, suite)),
      callersOf(config.tokens, new Redactor())[0],
    )
    if (api.found === undefined) return { facts, obstacle: await noApi(config, api) }
    const provider = await providerObstacle(config, run)
    if (provider) return { facts: { ...facts, target: api.found }, obstacle: provider }
    const slips = config.provider === undefined ? [] : await moduleSlips(config.provider)
    const found = { ...facts, target: api.found, notes: [...notesOn(api), ...slips] }
    return withTokens(found, await probeTokens(session, callersOf(config.tokens, session.redactor)), config)
  } finally {
    await session.client.close()
  }
}

/** How often a target that is not ready is asked again. Milliseconds. */
const askEvery = 1000

/** The longest wait of a preflight, and the output for its messages. */
export interface PreflightOptions {
  /** Seconds. */
  readonly wait: number
  readonly tell: (text: string) => void
  /** In whose name the provider is asked. */
  readonly run: string
  /** Ends the preflight at once, without facts. */
  readonly signal?: AbortSignal | undefined
}

/** A preflight that is repeated while the target is not reachable, for so many seconds at most. */
export async function preflightWithin(
  config: ReachableConfig,
  selection: readonly PlacedCheck[],
  { signal, ...options }: PreflightOptions,
): Promise<Preflight> {
  const interrupted = new Promise<Preflight>((resolve) => {
    signal?.addEventListener('abort', () => resolve({ facts: emptyFacts(config) }), { once: true })
  })
  return Promise.race([interrupted, repeatedPreflight(config, selection, options)])
}

async function repeatedPreflight(
  config: ReachableConfig,
  selection: readonly PlacedCheck[],
  { wait, tell, run }: PreflightOptions,
): Promise<Preflight> {
  const until = systemClock.now() + wait * 1000
  let result = await preflight(config, selection, run)
  if (result.obstacle?.kind === 'unreachable' && systemClock.now() < until)
    tell(`waiting up to ${wait} s for ${config.target.baseUrl}\n`)
  while (result.obstacle?.kind === 'unreachable' && systemClock.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, askEvery))
    result = await preflight(config, selection, run)
  }
  return result
}

function emptyFacts({ target, file }: ReachableConfig): PreflightRecord {
  return {
    target: '',
    reference: target.reference ?? false,
    ...(file === undefined ? {} : { configuration: file }),
    tokens: [],
    notes: [],
  }
}

/** The obstacle at the addresses of the versions; a dialect may state an address for each version. */
async function closedAddress({ target, versions, limits }: ReachableConfig): Promise<Obstacle | undefined> {
  const addresses = new Set(versions.map((version) => baseUrlOf(target, version)))
  for (const address of addresses) {
    const obstacle = await portObstacle(address, limits.timeoutSeconds * 1000)
    if (obstacle) return obstacle
  }
  return undefined
}

/** A session with the target alone, without the provider. */
function openTarget({ provider: _, ...config }: ReachableConfig): Promise<Session> {
  return openSession(config, config.versions[0] ?? latestVersion)
}

async function noApi(config: ReachableConfig, { answers, unavailable, silent }: ApiProbe): Promise<Obstacle> {
  const baseUrl = baseUrlOf(config.target, config.versions[0] ?? latestVersion)
  // A port that speaks TLS refuses plain HTTP at once; one that is silent would be silent again.
  const tls = silent ? undefined : await tlsObstacle(baseUrl)
  if (tls) return tls
  if (unavailable)
    return {
      kind: 'unreachable',
      sentence: `the target at ${baseUrl} is not ready: ${answers}. Let the run wait for it with --wait 60`,
    }
  const other = await findPrefix(baseUrl, (address) => openTarget({ ...config, target: atOneAddress(config.target, address) }))
  const next =
    other === undefined
      ? 'Check the path of the base URL: an API may be mounted below one, such as /api/v3'
      : `There is an API at ${other}: write that as the base URL`
  return { kind: 'configuration', sentence: `there is no API at ${baseUrl}: ${answers}. ${next}` }
}

function notesOn({ found, answer }: ApiProbe): string[] {
  if (answer?.status !== 406) return []
  return [
    `${found}: the target does not offer the media type that was asked for; a dialect can name its own (target.dialect, "accept" or "mediaType")`,
  ]
}

function withTokens(facts: PreflightRecord, probes: readonly TokenProbe[], config: ReachableConfig): Preflight {
  const tokens = probes.map(({ found: _, certain: __, ...token }) => token)
  const notes = [...facts.notes, ...probes.flatMap((probe) => noteOn(probe, config))]
  const problem = rejectedToken(probes) ?? strangersToken(probes, config) ?? sharedLogin(probes)
  const record = { ...facts, tokens, notes }
  return problem === undefined ? { facts: record } : { facts: record, obstacle: { kind: 'configuration', sentence: problem } }
}

function rejectedToken(probes: readonly TokenProbe[]): string | undefined {
  const rejected = probes.filter(({ state }) => state === 'rejected')
  const [first] = rejected
  if (!first) return undefined
  const others = rejected.slice(1).map(({ token }) => token)
  const too = others.length > 0 ? ` (and so are ${others.join(', ')})` : ''
  return `the target rejects the token ${nameOf(first)}${too}: ${first.says}. Renew it, or remove it from "tokens"`
}

/** A token whose certain login differs from its declaration. */
function strangersToken(probes: readonly TokenProbe[], config: ReachableConfig): string | undefined {
  const wrong = probes.find((probe) => probe.certain && isOtherThanDeclared(probe, config))
  if (!wrong) return undefined
  return `the token ${wrong.token} belongs to ${wrong.found}, but the configuration says login: ${declaredLogin(wrong, config)}. Correct the login in "tokens"`
}

function noteOn(probe: TokenProbe, config: ReachableConfig): string[] {
  if (probe.state === 'unknown') return [`${nameOf(probe)} is answered exactly like a token that was never issued: ${probe.says}`]
  if (probe.certain || !isOtherThanDeclared(probe, config)) return []
  return [
    `the migrations of ${probe.token} show the owner ${probe.found}, but the configuration says login: ${declaredLogin(probe, config)}`,
  ]
}

function isOtherThanDeclared(probe: TokenProbe, config: ReachableConfig): boolean {
  const declared = declaredLogin(probe, config)
  return declared !== undefined && probe.found !== undefined && !sameLogin(declared, probe.found)
}

function declaredLogin({ token }: TokenProbe, config: ReachableConfig): string | undefined {
  return callersOf(config.tokens, new Redactor()).find(({ label }) => label === token)?.login
}

/** Roles that checks set against each other must be different people. */
function sharedLogin(probes: readonly TokenProbe[]): string | undefined {
  const people = probes.filter(({ certain, found, role }) => certain && found !== undefined && role !== undefined)
  for (const [index, one] of people.entries()) {
    const other = people
      .slice(index + 1)
      .find(({ role, found }) => mustDiffer(one.role, role) && sameLogin(one.found ?? '', found ?? ''))
    if (other)
      return `the tokens of ${one.role} and ${other.role} belong to the same user, ${one.found}; checks need two users. Give ${other.role} a token of another user`
  }
  return undefined
}

function nameOf({ token, role, kind, login }: TokenProbe): string {
  return `${token} (${[kind, role, login].filter((part) => part !== undefined).join(', ')})`
}
