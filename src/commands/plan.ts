import type { Command } from '@commander-js/extra-typings'
import type { ReachableConfig } from '../config/config.ts'
import type { DryProviding } from '../doctor/dry-provider.ts'
import type { DryCheck } from '../doctor/dry-run.ts'
import { type EndpointCosts, quotaReads, shippedCosts } from '../doctor/request-costs.ts'
import { Dialect } from '../http/dialect/dialect.ts'
import { grouped } from '../record/coverage.ts'
import { type LaneName, titleOf } from '../record/lane-name.ts'
import type { PlacedCheck } from '../run/selection/selection.ts'
import { endpointLabel } from '../spec/endpoints.ts'
import { endpointOf, type Suite } from '../suite/check.ts'
import { groupBy } from '../text/data.ts'
import { renderTable, wrapped } from '../text/table.ts'
import type { CommandContext } from './common/context.ts'
import { example, judging, shared } from './common/options.ts'
import { renderJson } from './common/output.ts'
import { chosenChecks, effectiveConfig, subjectLines, type TargetOptions, withTarget } from './common/target.ts'

/** `plan`: the requests of a run, of which none is sent. */
export function define(command: Command, { suites, print }: CommandContext): void {
  judging(command)
    .option('--read-only', 'plan a run that sends only GET requests')
    .addOption(shared.json())
    .addHelpText('after', example('service-conformance plan --area notifications'))
    .action(async (options) => print(await planCommand(options, await suites(options))))
}

/** The options of `plan`. */
export interface PlanOptions extends TargetOptions {
  readOnly?: boolean | undefined
  json?: boolean | undefined
}

/** The requests of a run in one lane: estimates by endpoint, in the target's words. */
interface LanePlan {
  readonly lane: LaneName
  readonly judged: number
  readonly applicable: number
  /** An estimate, as all that is counted by endpoint. */
  readonly requests: number
  readonly endpoints: readonly { readonly endpoint: string; readonly requests: number }[]
}

/** The requests and the writing checks of a run. It sends no request, and does not ask the provider. */
export async function planCommand(options: PlanOptions, suites: readonly Suite[]): Promise<string> {
  const config = effectiveConfig(options, suites)
  const selection = chosenChecks(config, options, suites)
  const { dryRun } = await import('../doctor/dry-run.ts')
  return withTarget(config, async (reachable) => {
    const checks = await dryRun(reachable, selection, {
      providing: await unaskedProvider(reachable),
      readOnly: options.readOnly ?? false,
    })
    const words = new Dialect(reachable.target.dialect)
    const label = (endpoint: string) => labelIn(endpoint, words, reachable.target.rateLimit?.path)
    const costOf = shippedCosts()
    const own = new Map(selection.map(({ check, suite }) => [check.id, endpointLabel(endpointOf(check, suite))]))
    const costsOf = (id: string) => costOf(id, own.get(id) ?? '')
    const plans = [...new Set(checks.map(({ lane }) => lane))].map((lane) => lanePlan(lane, checks, costsOf, label))
    const writes = writesOf(selection, checks, words)
    return options.json ? renderJson({ versions: plans, writes }) : wrapped(render(subjectLines(reachable), plans, writes))
  })
}

/** A provider that is assumed to respond, because a question would already create an object. */
async function unaskedProvider({ provider: address }: ReachableConfig): Promise<DryProviding> {
  if (address === undefined) return {}
  const { moduleMembers } = await import('../run/needs/provider.ts')
  const offered = /^https?:/.test(address) ? undefined : new Set(await moduleMembers(address))
  const provider = { ask: async () => ({ unsupported: 'not asked' }), release: async () => {} }
  return { provider, offered, unasked: true }
}

function lanePlan(
  lane: DryCheck['lane'],
  checks: readonly DryCheck[],
  costsOf: (id: string) => EndpointCosts,
  labelOf: (endpoint: string) => string | undefined,
): LanePlan {
  const own = checks.filter((check) => check.lane === lane)
  const judged = own.filter(({ state }) => state === 'judged')
  const counts = new Map<string, number>()
  for (const { id } of judged) {
    for (const [endpoint, requests] of Object.entries(costsOf(id))) {
      const label = labelOf(endpoint)
      if (label !== undefined) counts.set(label, (counts.get(label) ?? 0) + requests)
    }
  }
  const endpoints = [...counts].map(([endpoint, requests]) => ({ endpoint, requests })).sort((a, b) => b.requests - a.requests)
  return {
    lane,
    judged: judged.length,
    applicable: own.filter(({ state }) => state !== 'inapplicable').length,
    requests: endpoints.reduce((sum, { requests }) => sum + requests, 0),
    endpoints,
  }
}

/** Under which address requests are counted; undefined where this target is not asked. */
function labelIn(endpoint: string, words: Dialect, quotaPath: string | undefined): string | undefined {
  if (endpoint !== quotaReads) return inTargetWords(endpoint, words)
  return quotaPath === undefined ? undefined : `GET ${quotaPath}`
}

function inTargetWords(label: string, words: Dialect): string {
  const [method = '', path = ''] = label.split(' ')
  return path.startsWith('/') ? `${method} ${words.template(path)}` : label
}

/** The checks that change data and would be judged, with the endpoint each is about. */
function writesOf(selection: readonly PlacedCheck[], checks: readonly DryCheck[], words: Dialect) {
  const judged = groupBy(
    checks.filter(({ state }) => state === 'judged'),
    ({ id }) => id,
  )
  return selection.flatMap(({ check, suite }) => {
    const lanes = (judged.get(check.id) ?? []).map(({ lane }) => lane)
    if (!check.writes || lanes.length === 0) return []
    return [{ check: check.id, endpoint: inTargetWords(endpointLabel(endpointOf(check, suite)), words), versions: lanes }]
  })
}

function render(subject: readonly string[], plans: readonly LanePlan[], writes: ReturnType<typeof writesOf>): string {
  const endpoints = [...new Set(plans.flatMap((plan) => plan.endpoints.map(({ endpoint }) => endpoint)))]
  const count = (plan: LanePlan, endpoint: string) =>
    grouped(plan.endpoints.find((row) => row.endpoint === endpoint)?.requests ?? 0)
  const total = (of: (plan: LanePlan) => string) => plans.map(of)
  return [
    `${subject.join('\n')}\n\n`,
    renderTable(
      ['estimated requests to', ...plans.map(({ lane }) => titleOf(lane))],
      [
        ...endpoints.map((endpoint) => [endpoint, ...plans.map((plan) => count(plan, endpoint))]),
        ['all', ...total(({ requests }) => grouped(requests))],
        ['checks that would be judged', ...total(({ judged, applicable }) => `${grouped(judged)} of ${grouped(applicable)}`)],
      ],
    ),
    '\n',
    writes.length === 0
      ? 'A run would send GET requests only.\n'
      : renderTable(
          ['check that changes data', 'endpoint', 'versions'],
          writes.map(({ check, endpoint, versions }) => [check, endpoint, versions.map(titleOf).join(', ')]),
        ),
    '\nNothing was sent. The numbers are estimates from a run against the reference server: long lists, retries and redirects add requests.\n',
  ].join('')
}
