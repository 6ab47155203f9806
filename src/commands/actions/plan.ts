import { startReferenceServer } from '../../../fixtures/reference/server/start.ts'
import type { Report } from '../../record/report.ts'
import { silent } from '../../run/engine/engine.ts'
import { appliesIn } from '../../run/needs/asked-needs.ts'
import { judgeTarget } from '../../run/run.ts'
import type { PlacedCheck } from '../../run/selection.ts'
import { endpointLabel } from '../../spec/endpoint.ts'
import { apiVersions } from '../../spec/versions.ts'
import { endpointOf, type Suite } from '../../suite/check.ts'
import { renderJson, renderTable } from './table.ts'
import { chosenChecks, effectiveConfig, type TargetOptions } from './target.ts'

/** The options of `plan`. */
export interface PlanOptions extends TargetOptions {
  readOnly?: boolean | undefined
  json?: boolean | undefined
}

/** What a run would send in one version. */
interface VersionPlan {
  readonly apiVersion: string
  readonly requests: number
  readonly endpoints: readonly { readonly endpoint: string; readonly requests: number }[]
}

/** Rehearses a run on the embedded reference server: what would be sent, and every write. The target is not asked. */
export async function planCommand(options: PlanOptions, suites: readonly Suite[]): Promise<string> {
  const config = effectiveConfig(options, suites)
  const selection = chosenChecks(config, options, suites)
  const server = await startReferenceServer()
  try {
    const { claims } = config
    const rehearsed = { ...server.configure(config), claims, waivers: [] }
    const { reports } = await judgeTarget(rehearsed, selection, {
      readOnly: options.readOnly,
      seed: 1,
      listener: silent,
    })
    const log = reports.map((report) => versionPlan(report, server.server.log))
    const writes = options.readOnly ? [] : writesOf(selection)
    return options.json ? renderJson({ versions: log, writes }) : render(log, writes)
  } finally {
    await server.close()
  }
}

function versionPlan(report: Report, log: readonly { endpoint: string; version: string }[]): VersionPlan {
  const counts = new Map<string, number>()
  for (const { endpoint, version } of log) {
    if (version === report.apiVersion) counts.set(endpoint, (counts.get(endpoint) ?? 0) + 1)
  }
  const endpoints = [...counts].map(([endpoint, requests]) => ({ endpoint, requests })).sort((a, b) => b.requests - a.requests)
  return { apiVersion: report.apiVersion, requests: report.requests.sent, endpoints }
}

/** The checks that change data, with the endpoint each is about. */
function writesOf(selection: readonly PlacedCheck[]) {
  return selection
    .filter(({ check }) => check.writes)
    .map(({ check, suite }) => ({
      check: check.id,
      endpoint: endpointLabel(endpointOf(check, suite)),
      versions: apiVersions.filter((version) => appliesIn(check, version)),
    }))
}

function render(plans: readonly VersionPlan[], writes: ReturnType<typeof writesOf>): string {
  const endpoints = [...new Set(plans.flatMap((plan) => plan.endpoints.map(({ endpoint }) => endpoint)))]
  const count = (plan: VersionPlan, endpoint: string) =>
    String(plan.endpoints.find((row) => row.endpoint === endpoint)?.requests ?? 0)
  return [
    renderTable(
      ['requests to', ...plans.map(({ apiVersion }) => apiVersion)],
      [
        ...endpoints.map((endpoint) => [endpoint, ...plans.map((plan) => count(plan, endpoint))]),
        ['all', ...plans.map(({ requests }) => String(requests))],
      ],
    ),
    '\n',
    writes.length === 0
      ? 'Only GET requests are sent.\n'
      : renderTable(
          ['check that changes data', 'endpoint', 'versions'],
          writes.map(({ check, endpoint, versions }) => [check, endpoint, versions.join(', ')]),
        ),
    '\nRehearsed on the embedded reference server, where no need is missing; nothing was sent to the target.\n',
  ].join('')
}
