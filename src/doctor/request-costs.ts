import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../package/root.ts'
import type { CheckRecord } from '../record/check-record.ts'
import type { ExchangeRecord } from '../record/exchange-record.ts'

/** How many requests a check sends to each endpoint, shared reads counted with the first check that needs them; by check id. */
export type RequestCosts = Readonly<Record<string, Readonly<Record<string, number>>>>

/** The costs as they were measured on the reference server: `npm run costs` writes them anew. */
const file = join(packageRoot, 'src', 'doctor', 'request-costs.json')

/** The shipped costs; empty where the file is missing. */
export function shippedCosts(): RequestCosts {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as RequestCosts) : {}
}

/** The costs of each check in one list of records. */
export function costsOf(checks: readonly CheckRecord[], exchanges: readonly ExchangeRecord[]): RequestCosts {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]))
  const counted = new Set<string>()
  return Object.fromEntries(
    checks.map(({ id, exchanges: used }) => {
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
