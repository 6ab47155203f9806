import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../package/root.ts'
import type { CheckRecord } from '../record/check-record.ts'
import type { ExchangeRecord } from '../record/exchange-record.ts'

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

/** The costs of each check in one list of records. */
export function costsOf(checks: readonly CheckRecord[], exchanges: readonly ExchangeRecord[]): RequestCosts {
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
          costs[endpoint] = (costs[endpoint] ?? 0) + 1
        }
        return [id, costs]
      }),
  )
}
