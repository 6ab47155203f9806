import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../package/root.ts'
import type { CheckRecord } from '../record/check-record.ts'
import type { ExchangeRecord } from '../record/exchange-record.ts'
import { changeEndpoints } from '../spec/change-endpoints.ts'
import { endpointLabel } from '../spec/endpoint.ts'
import { endpoints } from '../spec/endpoints.ts'
import { permissionRows } from '../spec/permissions.ts'

/**
 * How many requests a check sends to each endpoint, by check id. What several checks read is counted with the one that
 * reads least: the others may look through all that a run has read.
 */
export type RequestCosts = Readonly<Record<string, Readonly<Record<string, number>>>>

/** The costs as they were measured on the reference server: `npm run costs` writes them anew. */
export const costsFile = join(packageRoot, 'src', 'doctor', 'request-costs.json')

/** How the file keeps costs: operation, endpoint, count, and the aspects that cost as much, with spaces between them. */
type CostsByOperation = Record<string, Record<string, Record<string, string>>>

/** The shipped costs; empty where the file is missing. */
export function shippedCosts(): RequestCosts {
  return existsSync(costsFile) ? readCosts(readFileSync(costsFile, 'utf8')) : {}
}

/** The costs that a text of writeCosts holds. */
export function readCosts(text: string): RequestCosts {
  const costs: Record<string, Record<string, number>> = {}
  const operations: CostsByOperation = JSON.parse(text)
  for (const [operation, endpoints] of Object.entries(operations)) {
    for (const [endpoint, counts] of Object.entries(endpoints)) {
      for (const [count, named] of Object.entries(counts)) {
        for (const aspect of named.split(' ')) {
          const id = `${operation}.${aspect}`
          costs[id] = { ...costs[id], [endpoint]: Number(count) }
        }
      }
    }
  }
  return costs
}

/** The text that is kept for costs: JSON, sorted, a line for each operation. */
export function writeCosts(costs: RequestCosts): string {
  const operations: CostsByOperation = {}
  for (const [id, measured] of Object.entries(costs).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const dot = id.lastIndexOf('.')
    const [operation, aspect] = [id.slice(0, dot), id.slice(dot + 1)]
    for (const [endpoint, count] of Object.entries(measured)) {
      const kept = operations[operation] ?? {}
      const known = kept[endpoint]?.[count]
      const named = known === undefined ? aspect : `${known} ${aspect}`
      operations[operation] = { ...kept, [endpoint]: { ...kept[endpoint], [count]: named } }
    }
  }
  const lines = Object.entries(operations).map(([operation, kept]) => `${JSON.stringify(operation)}:${JSON.stringify(kept)}`)
  return `{\n${lines.join(',\n')}\n}\n`
}

const documented = new Set([...Object.values(endpoints), ...Object.values(changeEndpoints), ...permissionRows].map(endpointLabel))

/** What stands for reads of the quota: they are sent to the address that `target.rateLimit` names, if any. */
export const quotaReads = 'GET (target.rateLimit)'

/** An endpoint as any run asks for it: which addresses a run invents, and which test data names, holds for that run alone. */
function costLabel(endpoint: string, id: string): string {
  const [method = '', path = ''] = endpoint.split(' ')
  if (endpoint === endpointLabel(changeEndpoints.rateLimit) && !id.startsWith('versioning.')) return quotaReads
  const invented = /^\/conformance\/nowhere-?/.exec(path)
  if (invented) return `${method} ${invented[0]}`
  return documented.has(endpoint) || !path.startsWith('/') ? endpoint : `${method} (named by a permission-target)`
}

/** The costs of each check in one list of records. */
export function costsOf(
  checks: readonly Pick<CheckRecord, 'id' | 'exchanges'>[],
  exchanges: readonly Pick<ExchangeRecord, 'id' | 'endpoint'>[],
): RequestCosts {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]))
  const counted = new Set<string>()
  return Object.fromEntries(
    checks
      .toSorted((a, b) => a.exchanges.length - b.exchanges.length)
      .map(({ id, exchanges: used }) => {
        const costs: Record<string, number> = {}
        for (const one of used) {
          const endpoint = byId.get(one)?.endpoint
          if (endpoint === undefined || counted.has(one)) continue
          counted.add(one)
          const label = costLabel(endpoint, id)
          costs[label] = (costs[label] ?? 0) + 1
        }
        return [id, costs]
      }),
  )
}
