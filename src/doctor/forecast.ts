import type { ReachableConfig } from '../config/config.ts'
import type { PlacedCheck } from '../run/selection/selection.ts'
import { type Area, areas } from '../spec/endpoints.ts'
import { type Role, roles } from '../spec/needs.ts'
import { type RehearsalOptions, type RehearsedCheck, rehearse } from './rehearsal.ts'
import { adviceText, advisedToken, adviseToken } from './token-advice.ts'

/** The number of checks that a run would judge; a check counts once in each version. */
interface Coverage {
  readonly judged: number
  readonly applicable: number
  readonly judgedMust: number
  readonly applicableMust: number
}

/** A missing need, and the effect of supplying it alone. */
interface NextStep {
  readonly need: string
  readonly how: string
  /** A value was provided, and it does not fit. */
  readonly unfit: boolean
  /** Checks that could then be judged. */
  readonly gain: number
  /** Checks that lack it. */
  readonly checks: number
}

/** The checks that a run of this configuration would judge, and the effect of each next step. */
export interface Forecast extends Coverage {
  readonly areas: readonly (Coverage & { readonly area: Area })[]
  readonly steps: readonly NextStep[]
  /** Checks among `judged` that must find the object of a request themselves. */
  readonly doubtful: number
  /** Needs that count as supplied because the provider is asked for them only during a run. */
  readonly assumed: readonly string[]
  readonly checks: readonly RehearsedCheck[]
}

/** The next steps whose effect another rehearsal finds out; the others are ranked by the checks that lack them. */
const examinedSteps = 24

/** Predicts a run from the needs of its checks. No request is sent to the target. */
export async function forecast(
  config: ReachableConfig,
  selection: readonly PlacedCheck[],
  options: RehearsalOptions = {},
): Promise<Forecast> {
  const { checks, assumed } = await rehearse(config, selection, options)
  const applicable = checks.filter(({ state }) => state !== 'inapplicable')
  return {
    areas: areas
      .map((area) => ({ area, ...coverageOf(applicable.filter((check) => check.area === area)) }))
      .filter((found) => found.applicable > 0),
    ...coverageOf(applicable),
    steps: await nextSteps(config, selection, checks, options),
    doubtful: applicable.filter(({ doubtful }) => doubtful).length,
    assumed,
    checks,
  }
}

function coverageOf(applicable: readonly RehearsedCheck[]): Coverage {
  const must = applicable.filter(({ level }) => level === 'must')
  return {
    judged: applicable.filter(isJudged).length,
    applicable: applicable.length,
    judgedMust: must.filter(isJudged).length,
    applicableMust: must.length,
  }
}

function isJudged({ state }: RehearsedCheck): boolean {
  return state === 'judged'
}

async function nextSteps(
  config: ReachableConfig,
  selection: readonly PlacedCheck[],
  checks: readonly RehearsedCheck[],
  options: RehearsalOptions,
): Promise<NextStep[]> {
  const untested = checks.filter(({ state }) => state === 'untested')
  const names = new Map(untested.flatMap(({ missing }) => missing.map((one) => [one.need, one] as const)))
  const lacking = (need: string) => untested.filter(({ missing }) => missing.some((one) => one.need === need))
  const ranked = [...names].sort(([a], [b]) => lacking(b).length - lacking(a).length)
  const steps: NextStep[] = []
  for (const [index, [need, { how, unfit = false }]] of ranked.entries()) {
    // A token also states the login of its user, which other checks lack under another name.
    const lacked = need.startsWith('token:') ? untested : lacking(need)
    const gain = index < examinedSteps ? await gainOf(...withNeed(config, selection, options, need), lacked) : 0
    steps.push({ need, how, unfit, gain, checks: lacking(need).length })
  }
  steps.push(...(await tokenStep(config, selection, untested, options)))
  return steps.sort((a, b) => b.gain - a.gain || b.checks - a.checks)
}

/** The number of these checks that a changed configuration would judge. */
async function gainOf(
  config: ReachableConfig,
  selection: readonly PlacedCheck[],
  options: RehearsalOptions,
  lacked: readonly RehearsedCheck[],
): Promise<number> {
  const ids = new Set(lacked.map(({ id }) => id))
  const before = new Set(lacked.map(keyOf))
  const part = selection.filter(({ check }) => ids.has(check.id))
  const { checks } = await rehearse(config, part, options)
  return checks.filter((check) => isJudged(check) && before.has(keyOf(check))).length
}

function keyOf({ lane, id }: RehearsedCheck): string {
  return `${lane} ${id}`
}

/** The single token that most checks lack. */
async function tokenStep(
  config: ReachableConfig,
  selection: readonly PlacedCheck[],
  untested: readonly RehearsedCheck[],
  options: RehearsalOptions,
): Promise<NextStep[]> {
  const wanting = untested.filter(({ missing }) => missing.some(({ token }) => token))
  const advice = adviseToken(wanting.map(({ missing }) => missing.flatMap(({ token }) => token ?? [])))
  if (!advice) return []
  const added = { ...config, tokens: [...config.tokens, advisedToken(advice)] }
  const gain = await gainOf(added, selection, options, wanting)
  const how = `add one token to tokens: ${adviceText(advice)}`
  return gain === 0 ? [] : [{ need: 'one token', how, unfit: false, gain, checks: advice.checks }]
}

/** The arguments of a rehearsal in which one more need is supplied. */
function withNeed(
  config: ReachableConfig,
  selection: readonly PlacedCheck[],
  options: RehearsalOptions,
  need: string,
): [ReachableConfig, readonly PlacedCheck[], RehearsalOptions] {
  const role = roles.find((name): name is Role => need === `token:${name}`)
  if (role) {
    const token = { role, kind: 'classic' as const, login: `login-of-${role}`, secret: `secret-of-${role}` }
    return [{ ...config, tokens: [...config.tokens, token] }, selection, options]
  }
  const { target } = config
  if (need === 'target.rateLimit') {
    const rateLimit = { path: '/rate_limit', pointer: '/resources/core/remaining', counts: 'down' as const }
    return [{ ...config, target: { ...target, rateLimit } }, selection, options]
  }
  if (need.startsWith('paths.')) {
    const paths = { ...target.paths, [need.slice('paths.'.length)]: '/archive' }
    return [{ ...config, target: { ...target, paths } }, selection, options]
  }
  return [config, selection, { ...options, given: new Set([...(options.given ?? []), need]) }]
}
