import { randomUUID } from 'node:crypto'
import type { ReachableConfig } from '../../config/config.ts'
import { effectiveDialect } from '../../config/effective-dialect.ts'
import { type Forecast, forecast } from '../../doctor/forecast.ts'
import { type Preflight, preflight } from '../../doctor/preflight.ts'
import { probeTls } from '../../doctor/probes.ts'
import { providerNeeds } from '../../doctor/provider-probe.ts'
import { openProvider } from '../../run/needs/provider.ts'
import type { PlacedCheck } from '../../run/selection.ts'
import { latestVersion } from '../../spec/versions.ts'
import type { Suite } from '../../suite/check.ts'
import { printable } from '../../text/show.ts'
import { subjectLines } from './subject.ts'
import { renderJson, renderTable } from './table.ts'
import { chosenChecks, effectiveConfig, type TargetOptions, withTarget } from './target.ts'

/** The options of `doctor`. */
export interface DoctorOptions extends TargetOptions {
  json?: boolean | undefined
}

/** What was found out about a target. */
interface Examination {
  readonly subject: readonly string[]
  /** The words of the target, as they take effect. */
  readonly dialect: readonly string[]
  readonly tls: string
  readonly preflight: Preflight
  /** Absent where a run could not begin. */
  readonly forecast?: Forecast
}

/** Next steps that are printed; the rest is counted. */
const shownSteps = 30

/** How many reads of each version doctor sends at most to see what the target contains. */
const reads = 1000

/**
 * Says whether a run can begin, what it would judge and what each next step adds.
 * Exit code 0: everything that applies would be judged; 1: something is missing or wrong; 3: the target is not there.
 */
export async function doctorCommand(options: DoctorOptions, suites: readonly Suite[]): Promise<{ text: string; code: number }> {
  const config = effectiveConfig(options, suites)
  const selection = chosenChecks(config, options, suites)
  const examined = await withTarget(config, (reachable) => examine(reachable, selection))
  const text = options.json ? renderJson(forJson(examined)) : `${lines(examined).join('\n')}\n`
  return { text, code: codeOf(examined) }
}

async function examine(config: ReachableConfig, selection: readonly PlacedCheck[]): Promise<Examination> {
  const found = await preflight(config, selection)
  const { says } = await probeTls(config.target.baseUrl)
  const dialect = effectiveDialect(config.target.dialect, config.versions, config.target.baseUrl)
  const examined = { subject: subjectLines(config), dialect, tls: says, preflight: found }
  return found.obstacle ? examined : { ...examined, forecast: await foretell(config, selection) }
}

/** The forecast with the provider's values, of which none is made: what was asked for is released. */
async function foretell(config: ReachableConfig, selection: readonly PlacedCheck[]): Promise<Forecast> {
  const { provider: address, limits } = config
  if (address === undefined) return forecast(config, selection, { reads })
  const asking = { run: randomUUID(), apiVersion: config.versions[0] ?? latestVersion, timeoutSeconds: limits.timeoutSeconds }
  const provider = await openProvider(address, asking)
  try {
    return await forecast(config, selection, { reads, providing: { provider, offered: await providerNeeds(address) } })
  } finally {
    await provider.release().catch(() => undefined)
  }
}

function codeOf({ preflight: { obstacle }, forecast: foretold }: Examination): number {
  if (obstacle) return obstacle.kind === 'unreachable' ? 3 : 1
  return foretold && foretold.steps.length === 0 && foretold.judged === foretold.applicable ? 0 : 1
}

function forJson({ dialect, preflight: { facts, obstacle }, forecast: foretold, tls }: Examination): object {
  const { checks, ...rest } = foretold ?? { checks: [] }
  const untested = checks.filter(({ state }) => state === 'untested')
  return {
    dialect,
    preflight: facts,
    tls,
    ...(obstacle ? { obstacle } : {}),
    ...rest,
    untested: untested.map(({ lane, id, missing }) => ({ lane, id, missing: missing.map(({ need }) => need) })),
  }
}

function lines({ subject, dialect, tls, preflight: { facts, obstacle }, forecast: foretold }: Examination): string[] {
  return [
    ...subject,
    ...dialect.map((line) => `dialect        ${printable(line)}`),
    `connection     ${printable(tls)}`,
    ...(facts.target === '' ? [] : [`answers        ${printable(facts.target)}`]),
    ...facts.tokens.map(({ token, kind, login, state, says }) =>
      printable(`${state.padEnd(14)} token ${token} (${kind}${login === undefined ? '' : ` of ${login}`}): ${says}`),
    ),
    ...facts.notes.map((note) => `note           ${printable(note)}`),
    '',
    ...(obstacle ? [`A run cannot begin: ${printable(obstacle.sentence)}`] : []),
    ...(foretold ? forecastLines(foretold) : []),
  ]
}

function forecastLines({ areas, steps, assumed, ...all }: Forecast): string[] {
  const share = (part: number, whole: number) => (whole === 0 ? '-' : `${Math.floor((part * 100) / whole)} %`)
  const table = renderTable(
    ['area', 'would be judged now', 'all', 'must'],
    [...areas, { area: 'all', ...all }].map((row) => [
      row.area,
      `${row.judged} of ${row.applicable}`,
      share(row.judged, row.applicable),
      share(row.judgedMust, row.applicableMust),
    ]),
  )
  return [
    ...table.trimEnd().split('\n'),
    'Each check counts once in each version. What the target then returns can leave a few more untested.',
    ...(assumed.length > 0 ? [`Taken for granted, since the provider is asked only during a run: ${assumed.join(', ')}`] : []),
    '',
    ...stepLines(steps),
  ]
}

function stepLines(steps: Forecast['steps']): string[] {
  if (steps.length === 0) return ['Nothing is missing.']
  const left = steps.length - shownSteps
  return [
    'Next steps, by the checks that each adds alone (and the checks that ask for it):',
    ...steps.slice(0, shownSteps).map(({ need, how, gain, checks }) => `  +${gain} (${checks})  ${need}: ${printable(how)}`),
    ...(left > 0 ? [`  … and ${left} more`] : []),
  ]
}
