import { randomUUID } from 'node:crypto'
import type { Command } from '@commander-js/extra-typings'
import type { ReachableConfig } from '../config/config.ts'
import { effectiveDialect } from '../config/effective-dialect.ts'
import type { Forecast } from '../doctor/forecast.ts'
import { titleOf } from '../record/lane-name.ts'
import { howText, needPhrase } from '../record/reason.ts'
import { countOutcomes, missedLimits, openReasons, percentOf } from '../record/verdict.ts'
import { type ProgressStream, type ShowStep, withStatus } from '../report/terminal/progress.ts'
import { type PlacedCheck, select } from '../run/selection/selection.ts'
import { latestVersion } from '../spec/versions.ts'
import type { Catalogue } from '../suite/catalogue.ts'
import { groupBy } from '../text/data.ts'
import { grouped, printable } from '../text/format.ts'
import { renderTable, wrapped } from '../text/table.ts'
import {
  type CommandContext,
  example,
  type OptionsOf,
  renderJson,
  shared,
  withTargetOptions,
} from './common/command.ts'
import { withServers } from './common/servers.ts'
import { effectiveConfig, subjectLines, withTarget } from './common/target.ts'

/** `doctor`: whether a target is ready to be judged. */
export function define(command: Command, { catalogue, end, progress }: CommandContext) {
  return withTargetOptions(command)
    .addOption(shared.json())
    .addHelpText('after', example('doctor --config conformance.config.yaml'))
    .action(
      async (options) => void end(await doctorCommand(options, await catalogue(options), progress)),
    )
}

/** Next steps that are printed; the rest is counted. */
const shownSteps = 30

/** Reports which checks a run would judge, and the next steps. A run without deviations has the same exit code. */
export async function doctorCommand(
  options: OptionsOf<typeof define>,
  catalogue: Catalogue,
  progress?: ProgressStream,
) {
  const config = effectiveConfig(options, catalogue)
  const selection = select(catalogue.suites, { ...options, areas: config.areas })
  const examined = await withStatus(progress, (showStep) =>
    withTarget(config, (reachable) =>
      withServers(reachable, (signal) => examine(reachable, selection, showStep, signal)),
    ),
  )
  return {
    text: options.json ? renderJson(forJson(examined)) : wrapped(lines(examined, catalogue)),
    code: codeOf(examined),
  }
}

/** The facts about a target; no forecast where a run could not begin. */
type Examination = Awaited<ReturnType<typeof examine>>

async function examine(
  config: ReachableConfig,
  selection: readonly PlacedCheck[],
  showStep: ShowStep,
  signal: AbortSignal,
) {
  showStep('examining the target and its tokens')
  const { preflight } = await import('../doctor/preflight.ts')
  const { tlsInWords } = await import('../doctor/reachability.ts')
  const { intervals = [], ...found } = await preflight(config, selection, signal)
  const facts = { ...found.facts, notes: [...found.facts.notes, ...intervals] }
  const tls = await tlsInWords(config.target.baseUrl)
  const dialect = effectiveDialect(config.target.dialect, config.versions, config.target.baseUrl)
  const offered = selection.filter(({ suite }) => !found.unoffered?.includes(suite.area))
  const predicted = found.obstacle ? undefined : await predict(config, offered, showStep, signal)
  const gate = gateOf(predicted?.checks ?? [], config)
  return {
    subject: subjectLines(config),
    dialect,
    tls,
    preflight: { ...found, facts },
    forecast: predicted,
    gate,
  }
}

/** The forecast with the values of the provider, which are released afterwards. */
async function predict(
  config: ReachableConfig,
  selection: readonly PlacedCheck[],
  showStep: ShowStep,
  signal: AbortSignal,
) {
  const { forecast } = await import('../doctor/forecast.ts')
  const { openProvider } = await import('../run/needs/provider.ts')
  const { providerNeeds } = await import('../doctor/preflight-provider.ts')
  const { provider: address, limits } = config
  const asking = {
    run: randomUUID(),
    apiVersion: config.versions[0] ?? latestVersion,
    timeoutSeconds: limits.timeoutSeconds,
    signal,
  }
  const provider = address === undefined ? undefined : await openProvider(address, asking)
  const offered = address === undefined ? undefined : await providerNeeds(address)
  return forecast(config, selection, { provider, offered, signal }, showStep).finally(() =>
    provider?.release().catch(() => undefined),
  )
}

/** The exit code of the predicted run, provided that nothing deviates. */
function codeOf({ preflight: { obstacle }, gate }: Examination) {
  if (obstacle) return obstacle.kind === 'unreachable' ? 3 : 2
  if (gate.missed.length > 0) return 1
  return gate.open.length > 0 ? 3 : 0
}

/** The missed limits of each lane without deviations, and the reasons for an inconclusive verdict. */
function gateOf(checks: Forecast['checks'], { gate }: ReachableConfig) {
  const lanes = groupBy(checks, ({ lane }) => titleOf(lane))
  const sentences = (of: (own: Forecast['checks']) => string[]) =>
    [...lanes].flatMap(([lane, own]) => of(own).map((reason) => `${lane}: ${reason}`))
  return {
    missed: sentences((own) => missedLimits(countOutcomes(own), gate)),
    open: sentences((own) => openReasons(own, gate)),
  }
}

function forJson({
  dialect,
  preflight: { facts, obstacle },
  forecast: predicted,
  gate,
  tls,
}: Examination): object {
  const { checks, ...rest } = predicted ?? { checks: [] }
  const untested = checks.filter(({ outcome }) => outcome === 'untested')
  return {
    dialect,
    preflight: facts,
    tls,
    ...(obstacle ? { obstacle } : { gate }),
    ...rest,
    untested: untested.map(({ lane, id, missing }) => ({
      lane,
      id,
      missing: [...new Set(missing.map(({ need }) => need))],
    })),
  }
}

function lines(
  { subject, dialect, tls, preflight: { facts, obstacle }, forecast: predicted, gate }: Examination,
  catalogue: Catalogue,
) {
  return [
    ...subject,
    ...dialect.map((line) => `dialect        ${printable(line)}`),
    `connection     ${printable(tls)}`,
    ...(facts.target === '' ? [] : [`response       ${printable(facts.target)}`]),
    ...facts.tokens.map(({ token, kind, login, state, says }) =>
      printable(
        `${state.padEnd(14)} token ${token} (${kind}${login === undefined ? '' : ` of ${login}`}): ${says}`,
      ),
    ),
    ...facts.notes.map((note) => `note           ${printable(note)}`),
    '',
    ...(obstacle ? [`A run cannot begin: ${printable(obstacle.sentence)}`] : []),
    ...(predicted ? forecastLines(predicted, gate, catalogue) : []),
  ]
}

function* forecastLines(
  { areas, steps, assumed, ...all }: Forecast,
  gate: Examination['gate'],
  catalogue: Catalogue,
): Generator<string> {
  const table = renderTable(
    ['area', 'can be judged', 'share', 'of must'],
    [...areas, { area: 'all', ...all }].map((row) => [
      row.area,
      `${grouped(row.judged)} of ${grouped(row.applicable)}`,
      percentOf(row.judged, row.applicable),
      percentOf(row.judgedMust, row.applicableMust),
    ]),
  )
  yield table.trimEnd()
  yield 'Each check counts once in each version; a check that compares versions counts once. "of must": the share of the must-level checks.'
  yield 'A check that finds nothing to examine in the data of the target stays untested in the run.'
  if (all.doubtful > 0)
    yield `Up to ${grouped(all.doubtful)} stay untested on a target that responds alike to every caller about an unknown object; the need permission-target prevents that`
  for (const reason of gate.missed) yield `The gate of a run would fail: ${reason}`
  for (const reason of gate.open) yield `A run would be inconclusive: ${reason}`
  if (assumed.length > 0)
    yield `${grouped(all.reliant)} of these checks rely on needs that the provider is asked for only during a run: ${assumed.join(', ')}`
  yield* ['', ...stepLines(steps, catalogue)]
}

function stepLines(steps: Forecast['steps'], catalogue: Catalogue) {
  if (steps.length === 0) return ['Nothing is missing.']
  const useful = steps.filter(({ gain, unfit }) => gain > 0 || unfit)
  const shown = (useful.length > 0 ? useful : steps).slice(0, shownSteps)
  const left = steps.length - shown.length
  const rows = shown.map((step) => {
    const { need, how, but, unfit, gain, checks } = step
    const way =
      catalogue.isUsual(need, how) && !unfit
        ? [need, but === undefined ? '' : ` (${but})`]
        : [`${unfit ? needPhrase(step) : need}: `, howText(step)]
    return [`+${grouped(gain)}`, grouped(checks), printable(way.join(''))]
  })
  return [
    'Next steps: the number of checks that each alone adds, and of the checks that lack it. A token also adds the login of its user.',
    ...renderTable(['adds', 'lack it', 'need'], rows).trimEnd().split('\n'),
    ...(left > 0 ? [`… and ${left} more, which --json lists`] : []),
    'A step that is only a name belongs under needs.NAME in the configuration, or to the provider; "npx service-conformance list needs --example NAME" prints one.',
  ]
}
