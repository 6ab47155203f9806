import type { Command } from '@commander-js/extra-typings'
import type { ReachableConfig } from '../config/config.ts'
import type { ForecastCheck, ForecastOptions } from '../doctor/forecast-checks.ts'
import { Dialect } from '../http/dialect/dialect.ts'
import { NotSent } from '../http/exchange/no-response.ts'
import type { LaneName } from '../record/lane-name.ts'
import { type ProgressStream, withStatus } from '../report/terminal/progress.ts'
import { type PlacedCheck, select } from '../run/selection/selection.ts'
import { endpointLabel } from '../spec/endpoints.ts'
import { countedAs } from '../spec/words/addresses.ts'
import type { Catalogue } from '../suite/catalogue.ts'
import { endpointOf } from '../suite/check.ts'
import { groupBy, sumOf } from '../text/data.ts'
import { counted, grouped, printable } from '../text/format.ts'
import { renderTable, wrapped } from '../text/table.ts'
import {
  type CommandContext,
  example,
  type OptionsOf,
  renderJson,
  shared,
  withTargetOptions,
} from './common/command.ts'
import { effectiveConfig, subjectLines, withTarget } from './common/target.ts'

/** `plan`: the checks of a run by endpoint, without sending a request. */
export function define(command: Command, { catalogue, print, progress }: CommandContext) {
  return withTargetOptions(command)
    .option('--read-only', 'plan a run that sends only GET requests')
    .addOption(shared.json())
    .addHelpText('after', example('plan --area notifications'))
    .action(
      async (options) => void print(await planCommand(options, await catalogue(options), progress)),
    )
}

/** The endpoints and the writing checks of a run. It sends no request, and does not ask the provider. */
export async function planCommand(
  options: OptionsOf<typeof define>,
  catalogue: Catalogue,
  progress?: ProgressStream,
) {
  const config = effectiveConfig(options, catalogue)
  const selection = select(catalogue.suites, { ...options, areas: config.areas })
  const { forecastChecks } = await import('../doctor/forecast-checks.ts')
  return withTarget(config, async (reachable) => {
    const rules = { ...(await unaskedProvider(reachable)), readOnly: options.readOnly ?? false }
    const { checks } = await withStatus(progress, (showStep) =>
      forecastChecks(reachable, selection, { ...rules, showStep }),
    )
    const words = new Dialect(reachable.target.dialect)
    const placed = new Map(selection.map((each) => [each.check.id, each]))
    const endpointOfCheck = (id: string) => {
      const { check, suite } = placed.get(id) as PlacedCheck
      const label = countedAs(endpointLabel(endpointOf(check, suite)))
      const [method, path = ''] = label.split(' ')
      return path.startsWith('/') ? `${method} ${words.template(path)}` : label
    }
    const plans = [...groupBy(checks, ({ lane }) => lane)].map(([lane, own]) =>
      lanePlan(lane, own, endpointOfCheck),
    )
    const isWriting = ({ id, outcome }: ForecastCheck) =>
      outcome === 'passed' && placed.get(id)?.check.writes === true
    const writes = [...groupBy(checks.filter(isWriting), ({ id }) => id)].map(([id, own]) => ({
      check: id,
      endpoint: endpointOfCheck(id),
      versions: own.map(({ lane }) => lane),
    }))
    if (options.json)
      return renderJson({ target: reachable.target.baseUrl, versions: plans, writes })
    return wrapped(render(reachable, plans, writes))
  })
}

/** A provider that counts as able to supply every need, because a question would already create an object. */
async function unaskedProvider({ provider: address }: ReachableConfig): Promise<ForecastOptions> {
  if (address === undefined) return {}
  const { providerNeeds } = await import('../doctor/preflight-provider.ts')
  const ask = () => Promise.reject(new NotSent({ code: 'request-limit', requests: 0 }))
  return { provider: { ask }, offered: await providerNeeds(address) }
}

/** The requests for each judged check of a target that conforms, as measured: reads are shared, and a check of an effect sends several. */
const requestsPerCheck = 1.8

/** The number of checks that a run can judge in one lane, by their endpoint in the target's words, and about how many requests it sends. */
function lanePlan(
  lane: LaneName,
  own: readonly ForecastCheck[],
  endpointOfCheck: (id: string) => string,
) {
  const judged = own.filter(({ outcome }) => outcome === 'passed')
  const endpoints = [...groupBy(judged, ({ id }) => endpointOfCheck(id))]
    .map(([endpoint, { length }]) => ({ endpoint, checks: length }))
    .sort((a, b) => b.checks - a.checks)
  const applicable = own.filter(({ outcome }) => outcome !== 'inapplicable').length
  return {
    lane,
    judged: judged.length,
    applicable,
    requests: Math.round(judged.length * requestsPerCheck),
    endpoints,
  }
}

type LanePlan = ReturnType<typeof lanePlan>

function render(
  config: ReachableConfig,
  plans: readonly LanePlan[],
  writes: readonly { endpoint: string }[],
) {
  const endpoints = [
    ...new Set(plans.flatMap((plan) => plan.endpoints.map(({ endpoint }) => endpoint))),
  ]
  const rows = endpoints.map((endpoint) => {
    const counts = plans.map(
      (plan) => plan.endpoints.find((row) => row.endpoint === endpoint)?.checks ?? 0,
    )
    return [...counts, writes.filter((write) => write.endpoint === endpoint).length]
      .map(grouped)
      .concat(endpoint)
  })
  const sums = plans.map(({ judged, applicable }) => `${grouped(judged)}/${grouped(applicable)}`)
  const requests = Number(sumOf(plans, (plan) => plan.requests).toPrecision(2))
  return [
    `${subjectLines(config).join('\n')}\n\n`,
    renderTable(
      [...plans.map(({ lane }) => lane), 'write', 'checks of'],
      [...rows, [...sums, grouped(writes.length), 'all that can run / all that apply']],
    ),
    '\n"write": the number of checks that change data; --json names them.\n',
    `A run sends about ${counted(requests, 'request')} to ${printable(config.target.baseUrl)}, and more if checks fail; --max-requests limits them. This command sent none.\n`,
  ].join('')
}
