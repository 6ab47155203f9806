import type { CheckRecord } from '../record/check-record.ts'
import { coverageOf, grouped } from '../record/coverage.ts'
import type { ExchangeRecord } from '../record/exchange-record.ts'
import type { BlockedChecks, Report } from '../record/run-record.ts'
import { groupBy } from '../text/data.ts'

/** The reasons of an untested check whose needs were met. */
const metNeeds: readonly (string | undefined)[] = ['nothing-to-examine', 'unusable-answer', 'unfit-need']

/** The least number of blocked checks, and their least share, that is reported: a few may follow from lists that are short or change. */
const least = { checks: 5, share: 0.1 }

/** The most bytes of JSON without content: `[]`, `{}` or `null`, with a line break. */
const emptyBytes = 4

/** The areas of a version in which many checks are untested behind empty or refused reads that no deviation is about. */
export function blockedChecks({ apiVersion, checks, exchanges }: Report): BlockedChecks[] {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]))
  return [...groupBy(checks, ({ area }) => area)].flatMap(([area, own]): BlockedChecks[] => {
    const untested = own.filter(({ outcome, reason }) => outcome === 'untested' && metNeeds.includes(reason?.code))
    const of = coverageOf(own).judged + untested.length
    const reads = untested.flatMap((check) => byId.get(check.exchanges.at(-1) ?? '') ?? []).filter(isInTheWay(own))
    const [first] = reads
    if (!first || reads.length < Math.max(least.checks, least.share * of)) return []
    const { status } = first.response
    const code = status === 200 ? 'empty-reads' : 'refused-reads'
    return [{ code, apiVersion, area, checks: reads.length, of, method: 'GET', url: first.request.url, status }]
  })
}

/** Recognises the last read of a blocked check: it was refused or without content, and no deviation is about its endpoint. */
function isInTheWay(checks: readonly CheckRecord[]): (last: ExchangeRecord) => boolean {
  const noticed = new Set(checks.filter(({ deviation }) => deviation).map(({ endpoint }) => endpoint))
  return ({ endpoint, request: { method, url }, response: { status, bodyBytes } }) => {
    // Every list ends with an empty page.
    const isEmpty = status === 200 && bodyBytes <= emptyBytes && !/[?&]page=(?!1\b)/.test(url)
    return method === 'GET' && !noticed.has(endpoint) && (isEmpty || status === 401 || status === 403)
  }
}

/** `2026-03-10: 314 of 487 events checks could not be judged although their data was given; first in the way: GET … (200)`. */
export function blockedText({ apiVersion, area, checks, of, method, url, status }: BlockedChecks): string {
  const counts = `${apiVersion}: ${grouped(checks)} of ${grouped(of)} ${area} checks`
  return `${counts} could not be judged although their data was given; first in the way: ${method} ${url} (${status})`
}
