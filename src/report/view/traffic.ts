import type { ReportLane } from '../../record/report-lanes.ts'
import { grouped, size } from '../../text/format.ts'

/** A table about the traffic of a run: its title, the heads of its columns, and its rows as texts. */
export interface TrafficTable {
  readonly title: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** How late the effects of the target were by their kind, the slowest first. The versions of a run share these numbers. */
export function lagTable([first]: readonly ReportLane[]) {
  const rows = (first?.report.requests.lags ?? []).map(({ effect, seen, missed, slowest }) => [
    seen > 0 ? `${slowest.toFixed(1)} s` : 'never seen',
    grouped(seen),
    grouped(missed),
    effect,
  ])
  return {
    title: 'Lags: the longest time until an effect was seen',
    head: ['slowest', 'seen', 'missed', 'effect'],
    rows,
  }
}

/** The deliberate waits of each version, the longest first. */
export function waitTable(lanes: readonly ReportLane[]) {
  const rows = lanes.flatMap(({ name, report }) =>
    (report.requests.waited ?? []).map(({ what, seconds }) => [
      `${grouped(Math.ceil(seconds))} s`,
      name,
      what,
    ]),
  )
  return {
    title: 'Waits: the seconds of all checks together, some at the same time',
    head: ['waited', 'version', 'for'],
    rows,
  }
}

/** The requests of each version by endpoint, the most frequent first. */
export function requestTable(lanes: readonly ReportLane[]) {
  const rows = lanes.flatMap(({ name, report }) =>
    (report.requests.byEndpoint ?? []).map(({ endpoint, count, bytes, p50, p95 }) => [
      grouped(count),
      size(bytes),
      `${p50} ms`,
      `${p95} ms`,
      name,
      endpoint,
    ]),
  )
  const head = ['requests', 'bytes', 'median', '95 % within', 'version', 'endpoint']
  return { title: 'Requests by endpoint', head, rows }
}
