import { randomUUID } from 'node:crypto'
import { atOneAddress, baseUrlOf } from '../config/addresses.ts'
import type { ReachableConfig } from '../config/config.ts'
import { withinBudget } from '../http/transport/time/budget.ts'
import { systemClock } from '../http/transport/time/clock.ts'
import type { PreflightRecord } from '../record/preflight-record.ts'
import { openSession, type Session } from '../run/judge/session.ts'
import { callersOf } from '../run/needs/tokens.ts'
import type { PlacedCheck } from '../run/selection/selection.ts'
import type { Area } from '../spec/endpoints.ts'
import { latestVersion } from '../spec/versions.ts'
import { endpointOf } from '../suite/check.ts'
import { intervalNotes, quotaNotes, unoffered } from './notes.ts'
import { findApi, findPrefix, type NoApi } from './preflight-api.ts'
import { moduleSlips, providerObstacle } from './preflight-provider.ts'
import { examineTokens } from './preflight-tokens.ts'
import { type Obstacle, portObstacle, tlsObstacle } from './reachability.ts'

/** The result of a preflight: the facts for the record, and the obstacle to a run, if there is one. */
export interface Preflight {
  readonly facts: PreflightRecord
  readonly obstacle?: Obstacle
  /** The areas whose lists return 404 to their owner. */
  readonly unoffered?: readonly Area[]
  /** Notes on long poll intervals. A run mentions them when it waits for one. */
  readonly intervals?: readonly string[]
}

/** Finds out in a few reads whether a run can begin: the target, the provider, and every token. Nothing is changed. `signal` ends it. */
export async function preflight(
  config: ReachableConfig,
  selection: readonly PlacedCheck[],
  signal: AbortSignal,
): Promise<Preflight> {
  const closed = await closedAddress(config, signal)
  if (closed) return { facts: emptyFacts(config), obstacle: closed }
  const session = await openTarget(config, signal)
  return examine(session, config, selection).finally(() => session.client.close())
}

/** Examines the API, the provider and the tokens, in this order; the first obstacle ends the examination. */
async function examine(
  session: Session,
  config: ReachableConfig,
  selection: readonly PlacedCheck[],
): Promise<Preflight> {
  const callers = callersOf(config.tokens, session.redactor)
  const offered = selection.map(({ check, suite }) => endpointOf(check, suite))
  const api = await findApi(session, offered, callers[0])
  if (!api.found) return { facts: emptyFacts(config), obstacle: await noApi(session, config, api) }
  const { sentence: target, response } = api.found
  const facts = { ...emptyFacts(config), target }

  const obstacle = await providerObstacle(config, randomUUID(), session.signal)
  if (obstacle) return { facts, obstacle }
  const slips = await moduleSlips(config)

  const { tokens, notes, problem } = await examineTokens(session, callers)
  const lists = await unoffered(session, offered, callers, tokens)
  const advice = 'a dialect can name its own (target.dialect, "accept" or "mediaType")'
  const media =
    response?.status === 406
      ? [`${target}: the target does not offer the requested media type; ${advice}`]
      : []
  const all = {
    ...facts,
    tokens,
    notes: [...media, ...slips, ...notes, ...lists.notes, ...quotaNotes(session, selection)],
  }
  if (problem === undefined)
    return { facts: all, unoffered: lists.areas, intervals: intervalNotes(session) }
  return { facts: all, obstacle: await tokenObstacle(session, config, tokens, problem) }
}

/** The obstacle of an unusable token. The next step is another scheme, if the target accepts all tokens with it. */
async function tokenObstacle(
  { signal }: Session,
  config: ReachableConfig,
  tokens: PreflightRecord['tokens'],
  problem: string,
): Promise<Obstacle> {
  const dialect = tokens.some(({ state }) => state === 'refused')
    ? await otherScheme(config, signal)
    : undefined
  if (!dialect) return { kind: 'configuration', sentence: problem }
  const { scheme } = dialect.authorization
  const write = `write target.dialect with authorization: { scheme: ${scheme} }, as "npx service-conformance init" does (docs/dialect.md)`
  const sentence = `${problem}. It accepts "Authorization: ${scheme} …": ${write}`
  return { kind: 'configuration', sentence, instead: { dialect } }
}

/** How often a target that is not ready is asked again. Milliseconds. */
const askEvery = 1000

/** How a preflight is repeated. */
interface Waiting {
  /** The longest wait for the target. Seconds. */
  readonly wait: number
  readonly warn: (text: string) => void
  /** Ends the preflight at once, without facts. */
  readonly signal: AbortSignal
  /** The begin of the first attempt; now unless given. Milliseconds. */
  readonly begun?: number | undefined
}

/** A preflight that is repeated while the target is not reachable. The run begins with its last attempt, which ends with the run: at its deadline with a note, and at an interruption. */
export async function preflightWithin(
  config: ReachableConfig,
  selection: readonly PlacedCheck[],
  { wait, warn, signal, begun = systemClock.now() }: Waiting,
): Promise<Preflight & { readonly begun: number }> {
  const until = systemClock.now() + wait * 1000
  const late = () => {
    const note = 'limits.runMinutes had passed before the target and its tokens were examined'
    return { facts: { ...emptyFacts(config), notes: signal.aborted ? [] : [note] } }
  }
  let hasWarned = false
  for (let attempt = begun; ; attempt = systemClock.now()) {
    const times = { minutes: config.limits.runMinutes, begun: attempt }
    const examine = (ended: AbortSignal) => preflight(config, selection, ended)
    const result = await withinBudget(times, signal, examine, late)
    const isOver = systemClock.now() >= until
    if (result.obstacle?.kind !== 'unreachable' || isOver) return { ...result, begun: attempt }
    if (!hasWarned) warn(`waiting up to ${wait} s for ${config.target.baseUrl}\n`)
    hasWarned = true
    await systemClock.sleep(askEvery, signal).catch(() => undefined)
  }
}

function emptyFacts({ target, file }: ReachableConfig) {
  const configuration = file === undefined ? {} : { configuration: file }
  return {
    target: '',
    reference: target.reference ?? false,
    ...configuration,
    tokens: [],
    notes: [],
  }
}

/** The obstacle at the addresses of the versions; a dialect may state an address for each version. */
async function closedAddress(
  { target, versions, limits }: ReachableConfig,
  signal: AbortSignal,
): Promise<Obstacle | undefined> {
  for (const address of new Set(versions.map((version) => baseUrlOf(target, version)))) {
    const obstacle = await portObstacle(address, limits.timeoutSeconds * 1000, signal)
    if (obstacle) return obstacle
  }
  return undefined
}

/** A session with the target alone, without the provider. */
function openTarget({ provider: _, ...config }: ReachableConfig, signal: AbortSignal) {
  return openSession(config, config.versions[0] ?? latestVersion, { signal })
}

/** The dialect with a usual scheme, if the target accepts all tokens with it; undefined if there is none. */
async function otherScheme({ target, ...config }: ReachableConfig, signal: AbortSignal) {
  for (const scheme of target.dialect?.authorization ? [] : ['token', 'Basic']) {
    const dialect = { ...target.dialect, authorization: { scheme } }
    const session = await openTarget({ ...config, target: { ...target, dialect } }, signal)
    const { tokens } = await examineTokens(session, callersOf(config.tokens, session.redactor))
    await session.client.close()
    if (tokens.every(({ state }) => state === 'accepted')) return dialect
  }
  return undefined
}

async function noApi(
  { signal }: Session,
  config: ReachableConfig,
  { responses, unavailable, silent }: NoApi,
): Promise<Obstacle> {
  const baseUrl = baseUrlOf(config.target, config.versions[0] ?? latestVersion)
  // A port for TLS refuses plain HTTP immediately; a silent port would not respond to it either.
  const tls = silent ? undefined : await tlsObstacle(baseUrl)
  if (tls) return tls
  if (unavailable) {
    const sentence = `the target at ${baseUrl} is not ready: ${responses}. Let the run wait for it with --wait 60`
    return { kind: 'unreachable', sentence }
  }
  const other = await findPrefix(baseUrl, (address) =>
    openTarget({ ...config, target: atOneAddress(config.target, address) }, signal),
  )
  const next =
    other === undefined
      ? 'Check the path of the base URL: an API may be mounted below one, such as /api/v3'
      : `There is an API at ${other}: write that as the base URL`
  const sentence = `there is no API at ${baseUrl}: ${responses}. ${next}`
  return {
    kind: 'configuration',
    sentence,
    ...(other === undefined ? {} : { instead: { baseUrl: other } }),
  }
}
