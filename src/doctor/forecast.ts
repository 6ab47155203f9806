import type { Config, ReachableConfig, TokenConfig } from '../config/config.ts'
import type { MissingNeed } from '../record/reason.ts'
import type { Coverage } from '../record/run-record.ts'
import { coverageOf } from '../record/verdict.ts'
import type { ShowStep } from '../report/terminal/progress.ts'
import type { PlacedCheck } from '../run/selection/selection.ts'
import { type Area, areas } from '../spec/endpoints.ts'
import { defined, groupBy } from '../text/data.ts'
import {
  earlyNeeds,
  type ForecastCheck,
  type ForecastChecks,
  type ForecastOptions,
  forecastChecks,
} from './forecast-checks.ts'
import { usualQuota } from './notes.ts'
import { adviseToken } from './token-advice.ts'

/** A missing need, and the effect if only this need is supplied. */
interface NextStep extends Pick<MissingNeed, 'need' | 'how' | 'but' | 'holds' | 'found'> {
  /** A value was provided, and it does not fit. */
  readonly unfit: boolean
  /** Checks that could then be judged. */
  readonly gain: number
  /** Checks that lack it. */
  readonly checks: number
}

/** The checks that a run of this configuration would judge, and the effect of each next step. A check counts once in each version. */
export interface Forecast extends Coverage, ForecastChecks {
  readonly areas: readonly (Coverage & { readonly area: Area })[]
  readonly steps: readonly NextStep[]
  /** Checks among `judged` that must find the object of a request themselves. */
  readonly doubtful: number
  /** Checks among `judged` that rely on `assumed`. */
  readonly reliant: number
}

interface Sources {
  readonly config: ReachableConfig
  readonly options: ForecastOptions
}

/** Counts the checks of a list that a run would judge if it had these sources of test data. */
type Gain = (lacking: readonly ForecastCheck[], sources: Sources) => Promise<number>

/** Predicts a run from the needs of its checks. No request is sent to the target. */
export async function forecast(
  config: ReachableConfig,
  selection: readonly PlacedCheck[],
  options: ForecastOptions = {},
  showStep: ShowStep = () => {},
) {
  const keyOf = ({ lane, id }: ForecastCheck) => `${lane} ${id}`
  const gainOf: Gain = async (lacking, changed) => {
    const ids = new Set(lacking.map(({ id }) => id))
    const before = new Set(lacking.map(keyOf))
    const part = selection.filter(({ check }) => ids.has(check.id))
    const { checks } = await forecastChecks(changed.config, part, changed.options)
    return checks.filter((check) => check.outcome === 'passed' && before.has(keyOf(check))).length
  }
  const { checks, assumed } = await forecastChecks(config, selection, { ...options, showStep })
  const early = [...earlyNeeds(config).keys()].filter((name) => options.offered?.has(name) ?? true)
  const certain =
    assumed.length > 0
      ? await forecastChecks(config, selection, { ...options, offered: new Set(early), showStep })
      : { checks }
  const untested = checks.filter(({ outcome }) => outcome === 'untested')
  const sources = { config, options }
  const steps = [
    ...(await needSteps(untested, sources, gainOf, showStep)),
    ...(await tokenStep(untested, sources, gainOf)),
  ]
  const all = coverageOf(checks)
  return {
    areas: areas
      .map((area) => ({ area, ...coverageOf(checks.filter((check) => check.area === area)) }))
      .filter(({ applicable }) => applicable > 0),
    ...all,
    reliant: all.judged - coverageOf(certain.checks).judged,
    steps: steps.sort((a, b) => b.gain - a.gain || b.checks - a.checks),
    doubtful: checks.filter(({ doubtful }) => doubtful).length,
    assumed,
    checks,
  }
}

async function needSteps(
  untested: readonly ForecastCheck[],
  sources: Sources,
  gainOf: Gain,
  showStep: ShowStep,
) {
  const rows = untested.flatMap((check) => check.missing.map((missing) => ({ ...missing, check })))
  const ranked = [...groupBy(rows, ({ need }) => need).values()]
    .map((same) => ({
      missing: same.at(-1) as MissingNeed,
      lacking: [...new Set(same.map(({ check }) => check))],
    }))
    .sort((a, b) => b.lacking.length - a.lacking.length)
  const steps: NextStep[] = []
  for (const [index, { missing, lacking }] of ranked.entries()) {
    const { need, how, but, holds, found, role, unfit = false } = missing
    showStep('predicting the gain of the next steps', index + 1, ranked.length)
    const isAlone = (check: ForecastCheck) => check.missing.every((one) => one.need === need)
    // A token also states the login of its user, which other checks lack under another name.
    const helped = role ? untested : lacking.filter(isAlone)
    const gain = helped.length === 0 ? 0 : await gainOf(helped, withNeed(sources, missing))
    steps.push({
      need,
      how,
      ...defined({ but, holds, found }),
      unfit,
      gain,
      checks: lacking.length,
    })
  }
  return steps
}

/** The single token that most checks lack. */
async function tokenStep(untested: readonly ForecastCheck[], sources: Sources, gainOf: Gain) {
  const lacking = untested.filter(({ missing }) => missing.some(({ token }) => token))
  const advice = adviseToken(
    lacking.map(({ missing }) => missing.flatMap(({ token }) => token ?? [])),
  )
  const gain = advice ? await gainOf(lacking, withToken(sources, advice.token)) : 0
  if (!advice || gain === 0) return []
  return [
    {
      need: 'one token',
      how: `${advice.text}; list it under tokens`,
      unfit: false,
      gain,
      checks: advice.checks,
    },
  ]
}

function withToken({ config, options }: Sources, token: TokenConfig) {
  return { config: { ...config, tokens: [...config.tokens, token] }, options }
}

function withNeed(sources: Sources, { need, kind, role }: MissingNeed) {
  const { config, options } = sources
  if (role)
    return withToken(sources, {
      role,
      kind: 'classic',
      login: `login-of-${role}`,
      secret: `secret-of-${role}`,
    })
  const { target } = config
  const at = (changed: Partial<Config['target']>) => ({
    config: { ...config, target: { ...target, ...changed } },
    options,
  })
  if (kind === 'quota') return at({ rateLimit: usualQuota })
  if (kind === 'path') return at({ paths: { ...target.paths, downloadArchive: '/archive' } })
  return { config, options: { ...options, given: need } }
}
