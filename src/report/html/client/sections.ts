import type { ReportLane } from '../../../record/report-lanes.ts'
import type { Difference, RunRecord } from '../../../record/run-record.ts'
import { groupBy } from '../../../text/data.ts'
import { counted, grouped } from '../../../text/format.ts'
import type { Cause } from '../../view/causes.ts'
import { seenText, silencesOf, silenceTitle, unseenChanges } from '../../view/subject.ts'
import { lagTable, type TrafficTable, waitTable } from '../../view/traffic.ts'
import type { PageData } from '../page.ts'
import { badge, type Child, code, disclosure, h, list, section, table } from './dom.ts'

/** The differences between the versions: the unlisted ones, and all on demand. */
export function differenceSection(
  { crossVersion: { differences: all } }: RunRecord,
  { statements }: PageData,
) {
  const unlisted = all.filter(({ change }) => change === undefined)
  const texts = Object.entries(statements).map(([id, text]) => ({ id, text }))
  const unseen = unseenChanges(all, texts)
  const rest =
    unlisted.length === 0
      ? 'Nothing else differs.'
      : `${grouped(unlisted.length)} differences are not listed by any change.`
  return section(
    'differences',
    'Version differences',
    h('p', {}, `${seenText(unseen)}. ${rest}`),
    ...list('plain', unseen),
    ...differenceTable('Differences that no change lists', unlisted),
    disclosure({}, [`All ${counted(all.length, 'difference')}`], () =>
      differenceTable('All differences', all),
    ),
  )
}

function differenceTable(title: string, differences: readonly Difference[]) {
  const rows = differences.map(({ endpoint, at, kind, older, newer, change, documented }) => {
    const unlisted = `unlisted${documented ? '' : ', undocumented field'}`
    return [
      code(endpoint),
      code(at),
      kind,
      older,
      newer,
      change === undefined ? unlisted : `change ${change}`,
    ]
  })
  return table(title, ['endpoint', 'where', 'what', 'older', 'newer', 'change'], rows)
}

/** The causes that left checks without a verdict, each with the way to remove it. */
export function causeSection(id: string, title: string, causes: readonly Cause[]) {
  const rows = causes.map(({ phrase, how = '', checks }) => {
    const links = checkLinks(checks.map((check) => check.id))
    return [phrase, grouped(checks.length), how, links]
  })
  const name = (some: typeof rows) => `${title}: ${some[0] === rows[0] ? '' : 'further '}causes`
  const drawn = (some: typeof rows) =>
    table(name(some), ['cause', 'checks', 'next step', 'which'], some)
  return section(id, title, ...firstOf(rows, 10, drawn))
}

/** The first items; the reader opens the rest. */
function firstOf<Item>(items: readonly Item[], most: number, drawn: (items: Item[]) => Child[]) {
  const rest = items.slice(most)
  const more =
    rest.length === 0 ? [] : [disclosure({}, [`and ${rest.length} more`], () => drawn(rest))]
  return [...drawn(items.slice(0, most)), ...more]
}

function checkLinks(ids: readonly string[]) {
  const links = [...new Set(ids)].flatMap((id) => [h('a', { href: `#${id}` }, id), ' '])
  return links.length === 0
    ? ''
    : disclosure({ class: 'links' }, [counted(links.length / 2, 'id')], () => links)
}

/** The status of each statement of the document, on demand. */
export function requirementSection(lanes: readonly ReportLane[], { statements }: PageData) {
  const versions = lanes.filter(({ report }) => report.requirements.length > 0)
  const records = versions.flatMap(({ name, report }) =>
    report.requirements.map((record) => ({ name, record })),
  )
  const all = groupBy(records, ({ record }) => record.id)
  const row = ([id, same]: [string, typeof records]) => {
    const statuses = versions.map(
      ({ name }) => same.find((one) => one.name === name)?.record.status,
    )
    const badges = statuses.map((status) => (status === undefined ? '' : badge(status)))
    const links = checkLinks(same.flatMap(({ record }) => record.checks))
    return [code(id), same[0]?.record.level ?? '', statements[id] ?? '', ...badges, links]
  }
  const statusLine = ({ name, report }: ReportLane) => {
    const byStatus = [...groupBy(report.requirements, ({ status }) => status)]
    return h(
      'p',
      {},
      `${name}: ${byStatus.map(([status, of]) => `${grouped(of.length)} ${status}`).join(', ')}`,
    )
  }
  const head = [
    'requirement',
    'level',
    'section and statement',
    ...versions.map(({ name }) => name),
    'checks',
  ]
  const drawn = () => table('Status of each statement of the document', head, [...all].map(row))
  return section(
    'requirements',
    'Requirements',
    ...versions.map(statusLine),
    ...(all.size === 0
      ? []
      : [disclosure({}, [`All ${grouped(all.size)} statements of the document`], drawn)]),
  )
}

/** The choices of the target where the document is silent. */
export function observationSection(lanes: readonly ReportLane[]) {
  const rows = silencesOf(lanes).map(({ endpoint, lines }) => [
    code(endpoint),
    h('div', {}, ...firstOf(lines, 5, (some) => list('plain', some))),
  ])
  const drawn = (some: typeof rows) =>
    table('The choices of the target; none is judged', ['endpoint', 'what the target does'], some)
  return section('observations', silenceTitle, ...firstOf(rows, 20, drawn))
}

/** How late the effects of the target were, and what the run waited for. */
export function waitSection(lanes: readonly ReportLane[]) {
  const drawn = ({ title, head, rows }: TrafficTable) =>
    firstOf(rows, 10, (some) =>
      table(some[0] === rows[0] ? title : `${title}, further rows`, head, some),
    )
  return section('waits', 'Lags and waits', ...drawn(lagTable(lanes)), ...drawn(waitTable(lanes)))
}

/** The waivers of the configuration. */
export function waiverSection({ waivers }: RunRecord) {
  const rows = waivers.map(({ check, state, versions, reason, owner, link, expires, at = '' }) => {
    const address = /^https?:\/\/\S+$/.test(link)
      ? h('a', { href: link, rel: 'noreferrer noopener' }, link)
      : link
    return [
      h('a', { href: `#${check}` }, check),
      state,
      versions?.join(', ') ?? 'all',
      reason,
      owner,
      address,
      expires,
      at,
    ]
  })
  const head = ['check', 'state', 'versions', 'reason', 'owner', 'link', 'expires', 'where']
  return section(
    'waivers',
    'Waivers',
    ...table('Known deviations that are accepted until a date', head, rows),
  )
}

/** The objects that the run created and could not remove. */
export function leftSection({ leftBehind }: RunRecord) {
  const objects = disclosure({}, [counted(leftBehind.length, 'object')], () =>
    list('plain', leftBehind),
  )
  return section('left', 'Left on the target', ...(leftBehind.length === 0 ? [] : [objects]))
}
