import type { ReportLane } from '../../record/records.ts'
import type { PermissionCell } from '../../record/report.ts'
import type { RunRecord } from '../../record/run-record.ts'
import { needCatalogue } from '../../run/needs/need-catalogue.ts'
import { requirements } from '../../spec/requirements.ts'
import { groupBy } from '../../text/group.ts'
import { badge, html, link, type Markup, part, seconds, table, text } from './markup.ts'

/** The parts below the checks, each only where there is something to show. */
export function tables(run: RunRecord, lanes: readonly ReportLane[]): { id: string; title: string; body: Markup }[] {
  const parts = [
    { id: 'permissions', title: 'Permissions', body: permissions(lanes) },
    { id: 'differences', title: 'Version differences', body: differences(run) },
    { id: 'untested', title: 'Untested', body: untested(lanes) },
    { id: 'requirements', title: 'Requirements', body: coverage(lanes) },
    { id: 'observations', title: 'Observations', body: observations(lanes) },
    { id: 'waivers', title: 'Waivers', body: waivers(run) },
    { id: 'traffic', title: 'Requests and time', body: traffic(run, lanes) },
  ]
  return parts.flatMap(({ id, title, body }) => (body === undefined ? [] : [{ id, title, body: part(id, title, body) }]))
}

const cellMarks: Readonly<Record<PermissionCell['cell'], string>> = {
  granted: '✓',
  refused: '⊘',
  'too-permissive': '▲',
  'too-restrictive': '▼',
  undecided: '?',
}

/** The heat map: rows by category, columns by token kind and level. */
function permissions(lanes: readonly ReportLane[]): Markup[] | undefined {
  const maps = lanes.filter(({ report }) => report.permissions.length > 0)
  return maps.length === 0 ? undefined : maps.map(({ name, report }) => heatMap(name, report.permissions))
}

function heatMap(name: string, cells: readonly PermissionCell[]): Markup {
  const columns = columnsOf(cells)
  const rows = [...groupBy(cells, ({ owner, category, row }) => `${owner} ${category}\n${row}`)]
  const faulty = rows.filter(([, row]) => row.some(({ cell }) => cell.startsWith('too-')))
  const counts = Object.entries(cellMarks).map(([cell, mark]) => {
    const count = cells.filter((found) => found.cell === cell).length
    return html`<span class="cell ${cell}">${mark} ${count} ${cell}</span> `
  })
  return html`<p>${name}: ${counts}</p>${faulty.length === 0 ? '' : heatTable(`Rows with deviations under ${name}`, columns, faulty)}
<details><summary>All ${rows.length} rows under ${name}</summary>${heatTable(`Permissions under ${name}`, columns, rows)}</details>`
}

/** Token kinds in the order in which they occur, each with its levels from none to write. */
function columnsOf(cells: readonly PermissionCell[]): string[] {
  const kinds = [...new Set(cells.map(({ tokenKind }) => tokenKind))]
  const levels = [...new Set(['none', 'read', 'write', ...cells.map(({ access }) => access)])]
  const present = new Set(cells.map(({ tokenKind, access }) => `${tokenKind} ${access}`))
  return kinds.flatMap((kind) => levels.map((level) => `${kind} ${level}`)).filter((column) => present.has(column))
}

function heatTable(
  title: string,
  columns: readonly string[],
  rows: readonly (readonly [string, readonly PermissionCell[]])[],
): Markup {
  const cellOf = (row: readonly PermissionCell[], column: string) => {
    const found = row.find(({ tokenKind, access }) => `${tokenKind} ${access}` === column)
    return found
      ? html`<span class="cell ${found.cell}">${cellMarks[found.cell]} <span class="hidden">${found.cell}</span></span>`
      : ''
  }
  return html`<div class="heat">${table(
    title,
    ['category', 'row', ...columns],
    rows.map(([key, row]) => {
      const [category = '', endpoint = ''] = key.split('\n')
      return [text(category), html`<code>${text(endpoint)}</code>`, ...columns.map((column) => cellOf(row, column))]
    }),
  )}</div>`
}

function differences({ crossVersion }: RunRecord): Markup | undefined {
  if (crossVersion.differences.length === 0) return undefined
  return table(
    'Differences between the responses of the versions to the same request',
    ['endpoint', 'where', 'what', 'older', 'newer', 'change'],
    crossVersion.differences.map(({ endpoint, at, kind, older, newer, change, documented }) => [
      html`<code>${text(endpoint)}</code>`,
      html`<code>${text(at)}</code>`,
      kind,
      text(older),
      text(newer),
      change === undefined ? html`<strong>unlisted</strong>${documented ? '' : ', undocumented field'}` : `change ${change}`,
    ]),
  )
}

/** Untested checks by the need that would unlock them, the costliest first. */
function untested(lanes: readonly ReportLane[]): Markup | undefined {
  const open = lanes.flatMap(({ name, report }) =>
    report.checks.filter(({ outcome }) => outcome === 'untested').map((check) => ({ name, check })),
  )
  if (open.length === 0) return undefined
  const wanted = open.flatMap(({ name, check }) =>
    (check.missing.length > 0 ? check.missing : ['']).map((need) => ({ need, name, check })),
  )
  const ranked = [...groupBy(wanted, ({ need }) => need)].sort(([, a], [, b]) => b.length - a.length)
  return table(
    'Missing needs of the untested checks',
    ['need', 'checks', 'how to give it', 'which'],
    ranked.map(([need, found]) => [
      need === '' ? 'nothing to examine' : html`<code>${text(need)}</code>`,
      String(found.length),
      need === '' ? '' : (needCatalogue.get(need)?.how ?? text(found[0]?.check.detail ?? '')),
      checkLinks([...new Set(found.map(({ check }) => check.id))]),
    ]),
  )
}

function checkLinks(ids: readonly string[]): Markup {
  return html`<details><summary>${ids.length} ${ids.length === 1 ? 'check' : 'checks'}</summary>${ids.map((id) => html`<a href="#${id}">${id}</a> `)}</details>`
}

function coverage(lanes: readonly ReportLane[]): Markup | undefined {
  const versions = lanes.filter(({ report }) => report.requirements.length > 0)
  const ids = [...new Set(versions.flatMap(({ report }) => report.requirements.map(({ id }) => id)))]
  if (ids.length === 0) return undefined
  const known = new Map(requirements.map((requirement) => [requirement.id, requirement]))
  return table(
    'Coverage of each statement of the document',
    ['requirement', 'level', 'section and statement', ...versions.map(({ name }) => name), 'checks'],
    ids.map((id) => {
      const records = versions.map(({ report }) => report.requirements.find((requirement) => requirement.id === id))
      const spec = known.get(id)
      const checks = [...new Set(records.flatMap((record) => record?.checks ?? []))]
      return [
        html`<code>${id}</code>`,
        records.find((record) => record)?.level ?? '',
        html`${spec ? `${spec.section}: ${spec.text}` : ''}${spec?.excluded ? html` <em>Excluded: ${spec.excluded}</em>` : ''}`,
        ...records.map((record) => (record ? badge(record.status) : '')),
        checks.length === 0 ? '' : checkLinks(checks),
      ]
    }),
  )
}

function observations(lanes: readonly ReportLane[]): Markup | undefined {
  const seen = lanes.flatMap(({ name, report }) => report.observations.map((observation) => ({ name, ...observation })))
  if (seen.length === 0) return undefined
  return table(
    'Behaviour that the document does not specify; it is never judged',
    ['version', 'about', 'what'],
    seen.map(({ name, topic, what }) => [name, text(topic), text(what)]),
  )
}

function waivers({ waivers: all }: RunRecord): Markup | undefined {
  if (all.length === 0) return undefined
  return table(
    'Known deviations that are accepted until a date',
    ['check', 'state', 'versions', 'reason', 'owner', 'link', 'expires', 'where'],
    all.map((waiver) => [
      html`<a href="#${waiver.check}">${text(waiver.check)}</a>`,
      waiver.state,
      waiver.versions?.join(', ') ?? 'all',
      text(waiver.reason),
      text(waiver.owner),
      link(waiver.link),
      waiver.expires,
      text(waiver.at ?? ''),
    ]),
  )
}

function traffic({ leftBehind }: RunRecord, lanes: readonly ReportLane[]): Markup {
  const left = leftBehind.map((what) => html`<li>${text(what)}</li>`)
  const took = table(
    'Duration and requests of the run',
    ['version', 'began', 'took', 'requests', 'by method', 'shared reads', 'bytes received'],
    lanes.map(({ name, report }) => [
      name,
      report.startedAt,
      seconds(report.durationMs),
      String(report.requests.sent),
      Object.entries(report.requests.byMethod)
        .map(([method, count]) => `${method} ${count}`)
        .join(', '),
      String(report.requests.shared),
      String(report.requests.bytes),
    ]),
  )
  return left.length === 0 ? took : html`${took}<h3>Left behind on the target</h3><ul>${left}</ul>`
}
