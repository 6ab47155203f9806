import type { ReachableConfig } from '../config/config.ts'
import type { PlacedCheck } from '../run/selection/selection.ts'
import { type Area, areas } from '../spec/endpoints.ts'
import { type Role, roles } from '../spec/needs.ts'
import { groupBy } from '../text/data.ts'
import { type DryCheck, type DryOptions, dryRun } from './dry-run.ts'
import { adviceText, advisedToken, adviseToken } from './token-advice.ts'

/** How many checks of one area a run would judge; a check counts once in each version. */
interface AreaForecast {
  readonly area: Area
  readonly judged: number
  /** Those of them that came to a verdict on what the target returned to the forecast's own reads. */
  readonly decided: number
  readonly applicable: number
  readonly judgedMust: number
  readonly applicableMust: number
}

/** Something that is missing, and what giving it alone would add. */
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

/** What a run of this configuration would judge, and what each next step adds. */
export interface Forecast {
  readonly areas: readonly AreaForecast[]
  readonly judged: number
  readonly applicable: number
  readonly judgedMust: number
  readonly applicableMust: number
  readonly steps: readonly NextStep[]
  /** Checks among `judged` that came to a verdict on what the target returned to the forecast's own reads; the others change, wait for or ask for something first. */
  readonly decided: number
  /** Checks among `judged` that must find the object of a request themselves: untested where the target tells unknown ones to nobody. */
  readonly doubtful: number
  /** What the target's data leaves untested although nothing is missing: each reason with its number of checks, most first. */
  readonly nothingToExamine: readonly { readonly reason: string; readonly checks: number }[]
  /** Needs that only the provider can confirm, taken for granted in the numbers. */
  readonly assumed: readonly string[]
  readonly checks: readonly DryCheck[]
}

/** Next steps whose gain is found out by another dry run; the rest is ranked by the checks that lack it. */
const examinedSteps = 24

/** Foretells a run. With `reads` it sends so many reads to the target in each version at most; nothing is changed. */
export async function forecast(
  config: ReachableConfig,
  selection: readonly PlacedCheck[],
  options: DryOptions = {},
): Promise<Forecast> {
  const checks = await dryRun(config, selection, options)
  const applicable = checks.filter(({ state }) => state !== 'inapplicable')
  const must = applicable.filter(({ level }) => level === 'must')
  return {
    areas: areas.map((area) => areaForecast(area, applicable)).filter((found) => found.applicable > 0),
    judged: applicable.filter(isJudged).length,
    applicable: applicable.length,
    judgedMust: must.filter(isJudged).length,
    applicableMust: must.length,
    steps: await nextSteps(config, selection, checks, { ...options, reads: 0 }),
    decided: applicable.filter(isDecided).length,
    doubtful: applicable.filter(({ doubtful }) => doubtful).length,
    nothingToExamine: emptiness(applicable),
    assumed: [...new Set(checks.flatMap(({ assumed }) => assumed))].sort(),
    checks,
  }
}

function isJudged({ state }: DryCheck): boolean {
  return state === 'judged'
}

/** A verdict on what the target returned; the run comes to one as well. */
function isDecided(check: DryCheck): boolean {
  return isJudged(check) && check.decided
}

function emptiness(checks: readonly DryCheck[]): Forecast['nothingToExamine'] {
  const bare = checks.filter(({ state, missing }) => state === 'untested' && missing.length === 0)
  return [...groupBy(bare, ({ detail }) => detail)]
    .map(([reason, { length }]) => ({ reason, checks: length }))
    .sort((a, b) => b.checks - a.checks)
}

function areaForecast(area: Area, applicable: readonly DryCheck[]): AreaForecast {
  const own = applicable.filter((check) => check.area === area)
  const must = own.filter(({ level }) => level === 'must')
  return {
    area,
    judged: own.filter(isJudged).length,
    decided: own.filter(isDecided).length,
    applicable: own.length,
    judgedMust: must.filter(isJudged).length,
    applicableMust: must.length,
  }
}

async function nextSteps(
  config: ReachableConfig,
  selection: readonly PlacedCheck[],
  checks: readonly DryCheck[],
  options: DryOptions,
): Promise<NextStep[]> {
  const untested = checks.filter(({ state }) => state === 'untested')
  const names = new Map(untested.flatMap(({ missing }) => missing.map((one) => [one.need, one] as const)))
  const lacking = (need: string) => untested.filter(({ missing }) => missing.some((one) => one.need === need))
  const ranked = [...names].sort(([a], [b]) => lacking(b).length - lacking(a).length)
  const steps: NextStep[] = []
  for (const [index, [need, { how, unfit = false }]] of ranked.entries()) {
    const asking = lacking(need)
    // A token also states whose login it is, which other checks lack under another name.
    const lacked = need.startsWith('token:') ? untested : asking
    const ids = new Set(lacked.map(({ id }) => id))
    const part = selection.filter(({ check }) => ids.has(check.id))
    const then = index < examinedSteps ? await dryRun(...withNeed(config, part, options, need)) : []
    const before = new Set(lacked.map(keyOf))
    steps.push({
      need,
      how,
      unfit,
      gain: then.filter((check) => isJudged(check) && before.has(keyOf(check))).length,
      checks: asking.length,
    })
  }
  steps.push(...(await tokenStep(config, selection, untested, options)))
  return steps.sort((a, b) => b.gain - a.gain || b.checks - a.checks)
}

/** The single token that a person would add first, where checks lack some. */
async function tokenStep(
  config: ReachableConfig,
  selection: readonly PlacedCheck[],
  untested: readonly DryCheck[],
  options: DryOptions,
): Promise<NextStep[]> {
  const wanting = untested.filter(({ missing }) => missing.some(({ token }) => token))
  const advice = adviseToken(wanting.map(({ missing }) => missing.flatMap(({ token }) => token ?? [])))
  if (!advice) return []
  const ids = new Set(wanting.map(({ id }) => id))
  const before = new Set(wanting.map(keyOf))
  const added = { ...config, tokens: [...config.tokens, advisedToken(advice)] }
  const part = selection.filter(({ check }) => ids.has(check.id))
  const gain = (await dryRun(added, part, options)).filter((check) => isJudged(check) && before.has(keyOf(check)))
  const how = `add one token to tokens: ${adviceText(advice)}`
  return gain.length === 0 ? [] : [{ need: 'one token', how, unfit: false, gain: gain.length, checks: advice.checks }]
}

function keyOf({ lane, id }: DryCheck): string {
  return `${lane} ${id}`
}

/** The arguments of a dry run in which a need is given besides what is configured. */
function withNeed(
  config: ReachableConfig,
  part: readonly PlacedCheck[],
  options: DryOptions,
  need: string,
): [ReachableConfig, readonly PlacedCheck[], DryOptions] {
  const role = roles.find((name): name is Role => need === `token:${name}`)
  if (role) {
    const token = { role, kind: 'classic' as const, login: `login-of-${role}`, secret: `secret-of-${role}` }
    return [{ ...config, tokens: [...config.tokens, token] }, part, options]
  }
  const { target } = config
  if (need === 'target.rateLimit') {
    const rateLimit = { path: '/rate_limit', pointer: '/resources/core/remaining', counts: 'down' as const }
    return [{ ...config, target: { ...target, rateLimit } }, part, options]
  }
  if (need.startsWith('paths.')) {
    const paths = { ...target.paths, [need.slice('paths.'.length)]: '/archive' }
    return [{ ...config, target: { ...target, paths } }, part, options]
  }
  const { providing = {} } = options
  return [config, part, { ...options, providing: { ...providing, given: new Set([...(providing.given ?? []), need]) } }]
}
