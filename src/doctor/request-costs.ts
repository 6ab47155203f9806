import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../package/root.ts'
import type { CheckRecord } from '../record/check-record.ts'
import type { ExchangeRecord } from '../record/exchange-record.ts'
import { countedAs, otherAddress } from '../spec/addresses.ts'
import { changeEndpoints } from '../spec/change-endpoints.ts'
import { endpointLabel } from '../spec/endpoints.ts'
import { groupBy } from '../text/data.ts'

/**
 * How many requests checks send to each endpoint, by check id. What several checks read is counted with the one that
 * reads least: the others may look through all that a run has read.
 */
export type RequestCosts = Readonly<Record<string, EndpointCosts>>

/** How many requests are sent to each endpoint. */
export type EndpointCosts = Readonly<Record<string, number>>

/** The costs as they were measured on the reference server: `npm run --prefix fixtures/lab costs` writes them anew. */
export const costsFile = join(packageRoot, 'src', 'doctor', 'request-costs.json')

/** How the file keeps costs: operation, endpoint, count, and the aspects that cost as much, with spaces between them; the usual count names none. */
type CostsByOperation = Record<string, Record<string, Record<string, string>>>

/** What a check of that endpoint costs. */
export type CostOfCheck = (id: string, endpoint: string) => EndpointCosts

/** What a check costs by the shipped file; nothing where that is missing. */
export function shippedCosts(): CostOfCheck {
  return existsSync(costsFile) ? readCosts(readFileSync(costsFile, 'utf8')) : () => ({})
}

/** What a check costs by a text of writeCosts; one that was not measured costs what is usual in its operation. */
export function readCosts(text: string): CostOfCheck {
  const operations: CostsByOperation = JSON.parse(text)
  return (id, own) => {
    const { operation, aspect } = partsOf(id)
    const costs = Object.entries(operations[operation] ?? {}).map(([endpoint, counts]) => {
      const named = Object.entries(counts).find(([, aspects]) => aspects.split(' ').includes(aspect))
      const usual = Object.entries(counts).find(([, aspects]) => aspects === '')
      return [endpoint === ownEndpoint ? own : endpoint, Number((named ?? usual)?.[0] ?? 0)] as const
    })
    return Object.fromEntries(costs.filter(([, count]) => count > 0))
  }
}

/** The text that is kept for costs: JSON, sorted, a line for each operation. */
export function writeCosts(costs: RequestCosts): string {
  const measured = averages(Object.entries(costs).map(([id, cost]) => ({ ...partsOf(id), cost })))
  const lines = [...groupBy(measured, ({ operation }) => operation)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([operation, own]) => {
      const endpoints = [...new Set(own.flatMap(({ cost }) => Object.keys(cost)))].sort()
      const kept = endpoints
        .map((endpoint) => [endpoint, countsOf(own, endpoint)] as const)
        .filter(([, counts]) => Object.keys(counts).length > 0)
      return `${JSON.stringify(operation)}:${JSON.stringify(Object.fromEntries(kept))}`
    })
  return `{\n${lines.join(',\n')}\n}\n`
}

/** What an aspect of an operation costs. */
interface AspectCost {
  readonly operation: string
  readonly aspect: string
  readonly cost: EndpointCosts
}

/** The cost of each aspect; the average, rounded, where several endpoints share an operation. */
function averages(measured: readonly AspectCost[]): AspectCost[] {
  return [...groupBy(measured, ({ operation, aspect }) => `${operation}.${aspect}`).values()].flatMap((alike) => {
    const [first] = alike
    if (first === undefined) return []
    const sums: Record<string, number> = {}
    for (const { cost } of alike) {
      for (const [endpoint, count] of Object.entries(cost)) {
        const shared = alike.length === 1 || endpoint === ownEndpoint ? endpoint : otherAddress(endpoint)
        sums[shared] = (sums[shared] ?? 0) + count
      }
    }
    const cost = Object.entries(sums).map(([endpoint, sum]) => [endpoint, Math.round(sum / alike.length)] as const)
    return [{ ...first, cost: Object.fromEntries(cost) }]
  })
}

/** The aspects of an operation by what they cost at an endpoint; those of the count that most of them share are not named. */
function countsOf(own: readonly AspectCost[], endpoint: string): Record<string, string> {
  const counts = [...groupBy(own, ({ cost }) => cost[endpoint] ?? 0)].map(([count, all]) => ({
    count,
    aspects: all.map(({ aspect }) => aspect).sort(),
  }))
  const [usual] = counts.toSorted((a, b) => b.aspects.length - a.aspects.length || b.count - a.count)
  const named = counts.map((each) => [each.count, each === usual ? '' : each.aspects.join(' ')] as const)
  return Object.fromEntries(named.filter(([count, aspects]) => count > 0 || aspects !== ''))
}

/** The operation and the aspect that a check is about. The rows of the permission matrix that share a method cost alike. */
function partsOf(id: string): { operation: string; aspect: string } {
  const dot = id.lastIndexOf('.')
  const operation = id.slice(0, dot)
  return { operation: operation.replace(/^(permissions\.[a-z]+)-.*/, '$1'), aspect: id.slice(dot + 1) }
}

/** What stands for the endpoint that a check is about. */
const ownEndpoint = 'own'

/** What stands for reads of the quota: they are sent to the address that `target.rateLimit` names, if any. */
export const quotaReads = 'GET (target.rateLimit)'

/** Where the reference server tells its quota, and what checks of the versions read for its own sake. */
const quotaAddress = endpointLabel(changeEndpoints.rateLimit)

/** The costs of each check in one list of records. */
export function costsOf(
  checks: readonly Pick<CheckRecord, 'id' | 'endpoint' | 'exchanges'>[],
  exchanges: readonly Pick<ExchangeRecord, 'id' | 'endpoint'>[],
): RequestCosts {
  const uncounted = new Map(exchanges.map(({ id, endpoint }) => [id, countedAs(endpoint)]))
  const frugalFirst = checks.toSorted((a, b) => a.exchanges.length - b.exchanges.length)
  return Object.fromEntries(
    frugalFirst.map(({ id, endpoint: own, exchanges: used }) => {
      const costs: Record<string, number> = {}
      for (const one of used) {
        const endpoint = uncounted.get(one)
        const isQuota = endpoint === quotaAddress && !id.startsWith('versioning.')
        const label = isQuota ? quotaReads : endpoint === own ? ownEndpoint : endpoint
        if (label !== undefined) costs[label] = (costs[label] ?? 0) + 1
        uncounted.delete(one)
      }
      return [id, costs]
    }),
  )
}
