import { grouped } from '../../record/coverage.ts'
import type { ReportPart } from '../../record/report-parts.ts'
import type { RunRecord } from '../../record/run-record.ts'
import { isInVain, needCatalogue } from '../../run/needs/need-catalogue.ts'
import { requirements } from '../../spec/requirements.ts'
import { seconds } from '../../text/duration.ts'
import { groupBy } from '../../text/group.ts'
import { lackOf } from '../view/lacked-needs.ts'
import type { JudgedCheck } from './checks.ts'
import { badge, breakable, folded, html, link, type Markup, part, table, text } from './markup.ts'
import { permissionMatrix } from './matrix.ts'

/** The parts below the checks, each only where there is something to show. */
export function tables(
  run: RunRecord,
  lanes: readonly ReportPart[],
  judged: readonly JudgedCheck[],
): { id: string; title: string; body: Markup }[] {
  const numbers = new Map(judged.map(({ id }, number) => [id, number]))
  const parts = [
    { id: 'permissions', title: 'Permissions', body: permissionMatrix(lanes) },
    { id: 'differences', title: 'Version differences', body: differences(run) },
    { id: 'untested', title: 'Untested', body: untested(lanes, numbers) },
    { id: 'errored', title: 'Without a verdict', body: errored(lanes, numbers) },
    { id: 'requirements', title: 'Requirements', body: coverage(lanes, numbers) },
    { id: 'observations', title: 'Observations', body: observations(lanes) },
    { id: 'waivers', title: 'Waivers', body: waivers(run) },
    { id: 'traffic', title: 'Requests and time', body: traffic(lanes) },
    { id: 'left', title: 'Left on the target', body: leftBehind(run) },
  ]
  return parts.flatMap(({ id, title, body }) => (body === undefined ? [] : [{ id, title, body: part(id, title, body) }]))
}

function differences({ crossVersion }: RunRecord): Markup | undefined {
  const { differences: all } = crossVersion
  if (all.length === 0) return undefined
  const unlisted = all.filter(({ change }) => change === undefined)
  const changes = new Set(all.flatMap(({ change }) => change ?? []))
  const title = 'Differences between the responses of the versions to the same request'
  return html`<p>${changes.size} of the 21 documented changes were seen. ${unlisted.length === 0 ? 'Nothing else differs.' : `${grouped(unlisted.length)} differences are not listed by any change.`}</p>
${unlisted.length === 0 ? '' : differenceTable('Differences that no change lists', unlisted)}
${folded(`All ${grouped(all.length)} differences`, differenceTable(title, all))}`
}

function differenceTable(title: string, differences: RunRecord['crossVersion']['differences']): Markup {
  return table(
    title,
    ['endpoint', 'where', 'what', 'older', 'newer', 'change'],
    differences.map(({ endpoint, at, kind, older, newer, change, documented }) => [
      html`<code>${breakable(endpoint)}</code>`,
      html`<code>${breakable(at)}</code>`,
      kind,
      text(older),
      text(newer),
      change === undefined ? html`<strong>unlisted</strong>${documented ? '' : ', undocumented field'}` : `change ${change}`,
    ]),
  )
}

/** Untested checks by the need that would unlock them, the costliest first. */
function untested(lanes: readonly ReportPart[], numbers: CheckNumbers): Markup | undefined {
  const open = lanes.flatMap(({ name, report }) =>
    report.checks.filter(({ outcome }) => outcome === 'untested').map((check) => ({ name, check })),
  )
  if (open.length === 0) return undefined
  const wanted = open.flatMap(({ name, check }) =>
    (check.missing.length > 0 ? check.missing : ['']).map((need) => ({
      need,
      what: need === '' ? lackOf(need, check.detail) : need,
      name,
      check,
    })),
  )
  const ranked = [...groupBy(wanted, ({ what }) => what)].sort(([, a], [, b]) => b.length - a.length)
  return table(
    'Missing needs of the untested checks',
    ['need', 'checks', 'how to give it', 'which'],
    ranked.map(([what, found]) => [
      found[0]?.need === '' ? text(what) : html`<code>${breakable(what)}</code>`,
      grouped(found.length),
      found[0]?.need === '' ? '' : howTo(what, found[0]?.check.detail ?? ''),
      checkLinks([...new Set(found.map(({ check }) => check.id))], numbers),
    ]),
  )
}

/** How to give a need; of one that was given in vain, what it takes. */
function howTo(need: string, detail: string): string | Markup {
  const how = needCatalogue.get(need)?.how
  return how === undefined || isInVain(need, detail) ? text(howOf(need, detail)) : how
}

/** What the detail of an untested check says of one of its needs. */
function howOf(need: string, detail: string): string {
  const head = `needs ${need}: `
  return (
    detail
      .split('; ')
      .find((part) => part.startsWith(head))
      ?.slice(head.length) ?? detail
  )
}

/** Why checks got no verdict, the most frequent reason first. */
function errored(lanes: readonly ReportPart[], numbers: CheckNumbers): Markup | undefined {
  const broken = lanes.flatMap(({ report }) => report.checks.filter(({ outcome }) => outcome === 'errored'))
  if (broken.length === 0) return undefined
  const reasons = [...groupBy(broken, ({ detail }) => detail)].sort(([, a], [, b]) => b.length - a.length)
  return table(
    'Checks that could not be judged',
    ['checks', 'why', 'which'],
    reasons.map(([why, checks]) => [
      grouped(checks.length),
      text(why),
      checkLinks([...new Set(checks.map(({ id }) => id))], numbers),
    ]),
  )
}

/** The places of checks in the page's packed data, by id. */
type CheckNumbers = ReadonlyMap<string, number>

/** Links to checks, drawn by the page's script when they are asked for. */
function checkLinks(ids: readonly string[], numbers: CheckNumbers): Markup {
  return html`<details class="links" data-ids="${ids.map((id) => numbers.get(id)).join(' ')}"><summary>${grouped(ids.length)} ${ids.length === 1 ? 'check' : 'checks'}</summary></details>`
}

function coverage(lanes: readonly ReportPart[], numbers: CheckNumbers): Markup | undefined {
  const versions = lanes.filter(({ report }) => report.requirements.length > 0)
  const ids = [...new Set(versions.flatMap(({ report }) => report.requirements.map(({ id }) => id)))]
  if (ids.length === 0) return undefined
  const known = new Map(requirements.map((requirement) => [requirement.id, requirement]))
  const counted = versions.map(({ name, report }) => {
    const statuses = groupBy(report.requirements, ({ status }) => status)
    return html`<li>${name}: ${[...statuses].map(([status, of]) => html`<span class="badge ${status}">${grouped(of.length)} ${status}</span> `)}</li>`
  })
  const all = table(
    'Coverage of each statement of the document',
    ['requirement', 'level', 'section and statement', ...versions.map(({ name }) => name), 'checks'],
    ids.map((id) => {
      const records = versions.map(({ report }) => report.requirements.find((requirement) => requirement.id === id))
      const spec = known.get(id)
      const checks = [...new Set(records.flatMap((record) => record?.checks ?? []))]
      return [
        html`<code>${breakable(id)}</code>`,
        records.find((record) => record)?.level ?? '',
        html`${spec ? `${spec.section}: ${spec.text}` : ''}${spec?.excluded ? html` <em>Excluded: ${spec.excluded}</em>` : ''}`,
        ...records.map((record) => (record ? badge(record.status) : '')),
        checks.length === 0
          ? ''
          : checkLinks(
              checks.filter((check) => numbers.has(check)),
              numbers,
            ),
      ]
    }),
  )
  return html`<ul class="plain">${counted}</ul>${folded(`All ${grouped(ids.length)} statements of the document`, all)}`
}

/** Observations that the page names of one topic; the records have them all. */
const namedAtMost = 5

/** What was observed, each once with the versions it was seen in; a topic with many observations is folded. */
function observations(lanes: readonly ReportPart[]): Markup | undefined {
  const seen = lanes.flatMap(({ name, report }) => report.observations.map((observation) => ({ name, ...observation })))
  if (seen.length === 0) return undefined
  const each = [...groupBy(seen, ({ topic, what }) => `${topic}\n${what}`).values()].map((same) => ({
    topic: same[0]?.topic ?? '',
    what: same[0]?.what ?? '',
    versions: [...new Set(same.map(({ name }) => name))].join(', '),
  }))
  return table(
    'Behaviour that the document does not specify; it is never judged',
    ['about', 'what', 'version'],
    [...groupBy(each, ({ topic }) => topic)].map(([topic, same]) => {
      const lines = same.map(({ what }) => html`<li>${text(what)}</li>`)
      const list = html`<ul class="plain">${lines.slice(0, namedAtMost)}</ul>`
      const rest = lines.length - namedAtMost
      const more = rest > 0 ? html`${folded(`and ${rest} more`, html`<ul class="plain">${lines.slice(namedAtMost)}</ul>`)}` : ''
      return [text(topic), html`${list}${more}`, [...new Set(same.map(({ versions }) => versions))].join('; ')]
    }),
  )
}

function waivers({ waivers: all }: RunRecord): Markup | undefined {
  if (all.length === 0) return undefined
  return table(
    'Known deviations that are accepted until a date',
    ['check', 'state', 'versions', 'reason', 'owner', 'link', 'expires', 'where'],
    all.map((waiver) => [
      html`<a href="#${waiver.check}">${breakable(waiver.check)}</a>`,
      waiver.state,
      waiver.versions?.join(', ') ?? 'all',
      text(waiver.reason),
      text(waiver.owner),
      link(waiver.link),
      html`<span class="fixed">${waiver.expires}</span>`,
      text(waiver.at ?? ''),
    ]),
  )
}

function traffic(lanes: readonly ReportPart[]): Markup {
  return table(
    'Duration and requests of the run',
    ['version', 'began', 'took', 'requests', 'by method', 'shared reads', 'bytes received'],
    lanes.map(({ name, report }) => [
      html`<span class="fixed">${name}</span>`,
      html`<span class="fixed">${report.startedAt.slice(0, 19).replace('T', ' ')}</span>`,
      seconds(report.durationMs),
      grouped(report.requests.sent),
      Object.entries(report.requests.byMethod)
        .map(([method, count]) => `${method} ${grouped(count)}`)
        .join(', '),
      grouped(report.requests.shared),
      grouped(report.requests.bytes),
    ]),
  )
}

/** What the run made and could not remove; the API has no operation for much of it. */
function leftBehind({ leftBehind: left }: RunRecord): Markup | undefined {
  if (left.length === 0) return undefined
  return html`<p>${left.length === 1 ? 'One thing that the run made remains' : `${grouped(left.length)} things that the run made remain`} on the target.</p>
${folded('What remains', html`<ul>${left.map((what) => html`<li>${text(what)}</li>`)}</ul>`)}`
}
