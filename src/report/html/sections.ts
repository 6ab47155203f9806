import { grouped } from '../../record/coverage.ts'
import type { ReportPart } from '../../record/report-parts.ts'
import type { RunRecord } from '../../record/run-record.ts'
import { requirements } from '../../spec/requirements.ts'
import { counted } from '../../text/counted.ts'
import { seconds } from '../../text/duration.ts'
import { groupBy } from '../../text/group.ts'
import { erroredCauses, untestedCauses } from '../view/causes.ts'
import type { Cell, SectionModel, TableModel } from './page-model.ts'

/** The places of checks in the model, by id. */
type Places = ReadonlyMap<string, number>

/** The sections of the page below the checks, without the empty ones. */
export function runSections(run: RunRecord, parts: readonly ReportPart[], places: Places): SectionModel[] {
  const sections = [
    differences(run),
    untested(parts, places),
    errored(parts, places),
    coverage(parts, places),
    observations(parts),
    waivers(run, places),
    traffic(parts),
    leftBehind(run),
  ]
  return sections.filter(({ tables }) => tables.some(({ rows }) => rows.length > 0))
}

function section(id: string, title: string, tables: readonly TableModel[], notes: readonly string[] = []): SectionModel {
  return { id, title, notes, tables: tables.filter(({ rows }) => rows.length > 0) }
}

function linksTo(ids: readonly string[], places: Places): Cell {
  return { checks: [...new Set(ids)].flatMap((id) => places.get(id) ?? []) }
}

function differences({ crossVersion: { differences: all } }: RunRecord): SectionModel {
  const unlisted = all.filter(({ change }) => change === undefined)
  const seen = new Set(all.flatMap(({ change }) => change ?? [])).size
  const rest =
    unlisted.length === 0 ? 'Nothing else differs.' : `${grouped(unlisted.length)} differences are not listed by any change.`
  const head = ['endpoint', 'where', 'what', 'older', 'newer', 'change']
  const rowsOf = (some: typeof all) =>
    some.map(({ endpoint, at, kind, older, newer, change, documented }): Cell[] => [
      { code: endpoint },
      { code: at },
      kind,
      older,
      newer,
      change === undefined ? `unlisted${documented ? '' : ', undocumented field'}` : `change ${change}`,
    ])
  const title = 'Differences between the responses of the versions to the same request'
  return section(
    'differences',
    'Version differences',
    [
      { title: 'Differences that no change lists', head, rows: rowsOf(unlisted) },
      { title, folded: `All ${grouped(all.length)} differences`, head, rows: rowsOf(all) },
    ],
    [`${seen} of the 21 documented changes were seen. ${rest}`],
  )
}

function untested(parts: readonly ReportPart[], places: Places): SectionModel {
  const rows = untestedCauses(parts).map(({ phrase, how = '', checks }): Cell[] => [
    phrase,
    grouped(checks.length),
    how,
    linksTo(
      checks.map(({ id }) => id),
      places,
    ),
  ])
  const head = ['cause', 'checks', 'how to provide it', 'which']
  return section('untested', 'Untested', [{ title: 'Causes of the untested checks', head, rows }])
}

function errored(parts: readonly ReportPart[], places: Places): SectionModel {
  const rows = erroredCauses(parts).map(({ phrase, checks }): Cell[] => [
    grouped(checks.length),
    phrase,
    linksTo(
      checks.map(({ id }) => id),
      places,
    ),
  ])
  const head = ['checks', 'why', 'which']
  return section('errored', 'Without a verdict', [{ title: 'Checks that could not be judged', head, rows }])
}

function coverage(parts: readonly ReportPart[], places: Places): SectionModel {
  const versions = parts.filter(({ report }) => report.requirements.length > 0)
  const byVersion = versions.map(({ report }) => new Map(report.requirements.map((record) => [record.id, record])))
  const ids = [...new Set(byVersion.flatMap((records) => [...records.keys()]))]
  const known = new Map(requirements.map((requirement) => [requirement.id, requirement]))
  const rows = ids.map((id): Cell[] => {
    const records = byVersion.map((requirementsOf) => requirementsOf.get(id))
    const stated = known.get(id)
    const excluded = stated?.excluded === undefined ? '' : ` Excluded: ${stated.excluded}`
    return [
      { code: id },
      records.find((record) => record)?.level ?? '',
      stated ? `${stated.section}: ${stated.text}${excluded}` : '',
      ...records.map((record): Cell => (record ? { badge: record.status } : '')),
      linksTo(
        records.flatMap((record) => record?.checks ?? []),
        places,
      ),
    ]
  })
  const title = 'Coverage of each statement of the document'
  const head = ['requirement', 'level', 'section and statement', ...versions.map(({ name }) => name), 'checks']
  const folded = `All ${grouped(ids.length)} statements of the document`
  return section('requirements', 'Requirements', [{ title, folded, head, rows }], versions.map(statusLine))
}

function statusLine({ name, report }: ReportPart): string {
  const statuses = groupBy(report.requirements, ({ status }) => status)
  return `${name}: ${[...statuses].map(([status, of]) => `${grouped(of.length)} ${status}`).join(', ')}`
}

function observations(parts: readonly ReportPart[]): SectionModel {
  const seen = parts.flatMap(({ name, report }) => report.observations.map((one) => ({ name, ...one })))
  const rows = [...groupBy(seen, ({ topic }) => topic)].map(([topic, same]): Cell[] => {
    const names = [...new Set(same.map(({ name }) => name))]
    return [topic, { lines: [...new Set(same.map(({ what }) => what))] }, names.join(', ')]
  })
  const title = 'Behaviour that the document does not specify; it is never judged'
  return section('observations', 'Observations', [{ title, head: ['about', 'what', 'version'], rows }])
}

function waivers({ waivers: all }: RunRecord, places: Places): SectionModel {
  const rows = all.map(({ check, state, versions, reason, owner, link, expires, at }): Cell[] => [
    check,
    linksTo([check], places),
    state,
    versions?.join(', ') ?? 'all',
    reason,
    owner,
    { link },
    expires,
    at ?? '',
  ])
  const head = ['check', 'result', 'state', 'versions', 'reason', 'owner', 'link', 'expires', 'where']
  return section('waivers', 'Waivers', [{ title: 'Known deviations that are accepted until a date', head, rows }])
}

function traffic(parts: readonly ReportPart[]): SectionModel {
  const rows = parts.map(({ name, report: { startedAt, durationMs, requests } }): Cell[] => [
    name,
    startedAt.slice(0, 19).replace('T', ' '),
    seconds(durationMs),
    grouped(requests.sent),
    Object.entries(requests.byMethod)
      .map(([method, count]) => `${method} ${grouped(count)}`)
      .join(', '),
    grouped(requests.shared),
    grouped(requests.bytes),
  ])
  const head = ['version', 'began', 'took', 'requests', 'by method', 'shared reads', 'bytes received']
  return section('traffic', 'Requests and time', [{ title: 'Duration and requests of the run', head, rows }])
}

function leftBehind({ leftBehind: left }: RunRecord): SectionModel {
  const rows = left.map((what): Cell[] => [what])
  const title = 'Objects that the run created and could not remove'
  const folded = counted(left.length, 'object')
  return section('left', 'Left on the target', [{ title, folded, head: ['object'], rows }])
}
