import type { CheckRecord, DeviationRecord, JsonFragment } from '../../../record/check-record.ts'
import type { ExchangeRecord } from '../../../record/exchange-record.ts'
import type { ReportLane } from '../../../record/report-lanes.ts'
import { groupBy } from '../../../text/data.ts'
import { counted } from '../../../text/format.ts'
import {
  causeFacts,
  deviantOf,
  type Finding,
  findingsOf,
  groupedByCause,
  itemsSentence,
  type Judgement,
  judgementsIn,
  linesOf,
  missText,
  type SameCause,
  stateOf,
} from '../../view/findings.ts'
import { indented } from '../../view/indented.ts'
import { reproductionOf } from '../../view/reproduction.ts'
import type { PageData } from '../page.ts'
import { badge, type Child, disclosure, h, open, section, spaced, urgentFirst } from './dom.ts'

/** The most causes that are printed on paper. */
const printedAtMost = 40

/** The deviations, each check once and folded, by their cause. The first is open. */
export function deviationSection(lanes: readonly ReportLane[], { readings }: PageData) {
  const byCheck = [...groupBy(findingsOf(lanes), ({ latest }) => latest.check.id).values()]
  const judged = groupBy(judgementsIn(lanes), ({ check }) => check.id)
  const causes = groupedByCause(byCheck, ([first]) => deviantOf(first as Finding))
  const blocks = causes.map((checks) => {
    const drawn = checks.map((findings) => deviation(findings, judged, readings))
    return drawn.length > 1 ? cause(checks, drawn) : (drawn[0] as HTMLElement)
  })
  for (const first of [blocks[0], blocks[0]?.querySelector('.check')]) open(first)
  const left = blocks.length - printedAtMost
  const more =
    left > 0 ? [h('p', { class: 'paper' }, `${left} more causes are on the page itself.`)] : []
  const title = `Deviations: ${counted(causes.length, 'cause')}, ${counted(byCheck.length, 'check')}`
  return section('deviations', title, ...blocks, ...more)
}

/** Checks whose deviations have one cause, in one line until it is opened. */
function cause(checks: readonly Finding[][], drawn: readonly HTMLElement[]) {
  const all = checks.flat() as unknown as SameCause
  const { outcome, latest } = all[0]
  const { words, endpoints, lanes } = causeFacts(all)
  const under = lanes.join(', ')
  const place = endpoints > 1 ? `${endpoints} endpoints` : latest.check.endpoint
  const text = h('span', { class: 'title' }, h('code', {}, place), ` ${words}`)
  const summary = h(
    'summary',
    {},
    text,
    ' ',
    badge(outcome, `1 cause, ${counted(checks.length, 'check')} (${under})`),
  )
  return h('details', { class: 'cause', 'data-outcomes': outcome }, summary, ...drawn)
}

function deviation(
  findings: readonly Finding[],
  all: ReadonlyMap<string, Judgement[]>,
  known: PageData['readings'],
) {
  const { id, endpoint, title } = (findings[0] as Finding).latest.check
  const judged = all.get(id) ?? []
  const readings = known[id] ?? []
  const found = urgentFirst.filter((one) => judged.some(({ check }) => check.outcome === one))
  const attributes = { class: 'check', id, 'data-outcomes': found.join(' ') }
  const summary = h('span', { class: 'title' }, h('code', {}, endpoint), ` ${title}`)
  const items = () =>
    readings.flatMap((one) => [h('dt', {}, `Reading ${one.id}`), h('dd', {}, one.judged)])
  const reading = () =>
    disclosure({ class: 'readings' }, ['How the document is read here'], () => [
      h('dl', {}, ...items()),
    ])
  return disclosure(attributes, [summary, ' ', outcomeBadges(judged)], () => [
    metaLine((findings[0] as Finding).latest.check),
    ...findings.map(evidence),
    ...(readings.length === 0 ? [] : [reading()]),
  ])
}

/** The outcome of a check in each lane. */
export function outcomeBadges(judged: readonly Judgement[]) {
  return h(
    'span',
    { class: 'outcomes' },
    ...spaced(judged.map((one) => badge(one.check.outcome, one.lane.name, stateOf(one)))),
  )
}

/** The id of a check, its properties and a link to it. */
export function metaLine({ id, level, section: of, requirements }: CheckRecord) {
  const properties = [level, of, ...requirements].join(' · ')
  return h(
    'p',
    { class: 'meta' },
    h('code', {}, id),
    ` · ${properties} · `,
    h('a', { href: `#${id}` }, 'link'),
  )
}

/** The evidence of a deviation: the difference, the exchanges and the commands that repeat it. */
export function evidence({ outcome, latest, names, others }: Finding) {
  const { check, lane } = latest
  const { deviation: found, flaky, detail, repeats = [] } = check
  const isSaid = found !== undefined && !flaky && outcome !== 'waived'
  const missed = missText(latest)
  const unshown = check.exchanges.filter((id) => !found?.exchanges.includes(id))
  const script = found ? reproductionOf(check, lane.report.exchanges) : []
  return h(
    'div',
    { class: 'judged' },
    h('h3', {}, `${names.join(', ')}: ${stateOf(latest)}${flaky ? ' (flaky)' : ''}`),
    ...(missed === undefined ? [] : [h('p', {}, `${missed}.`)]),
    ...(isSaid || detail === '' ? [] : [h('p', {}, detail)]),
    ...(found ? [...comparison(found), ...exchangeBlocks(found.exchanges, lane)] : []),
    ...(script.length === 0 ? [] : [copyable(script.join('\n'))]),
    ...others.map((one) =>
      h('p', {}, `Under ${one.lane.name}: ${one.check.deviation?.actual ?? one.check.detail}`),
    ),
    ...exchangeButton(unshown, lane),
    ...repeats.flatMap((repeat) => [
      h(
        'p',
        { class: 'again' },
        'Judged again: ',
        h('strong', {}, repeat.outcome),
        ` ${repeat.detail}`,
      ),
      ...exchangeButton(repeat.exchanges, lane),
    ]),
  )
}

function comparison(found: DeviationRecord): Child[] {
  const { expected, actual, variation = '', pointer = '', items, fragment } = found
  const [wanted, got] = marked(expected, actual)
  const list = h(
    'dl',
    { class: 'deviation' },
    ...[h('dt', {}, 'Expected'), h('dd', { class: 'wanted' }, ...wanted)],
    ...[h('dt', {}, 'Actual'), h('dd', { class: 'got' }, ...got)],
    ...(variation === '' ? [] : [h('dt', {}, 'Request'), h('dd', {}, variation)]),
    ...(pointer === '' ? [] : [h('dt', {}, 'At'), h('dd', {}, h('code', {}, pointer))]),
    ...(items ? [h('dt', {}, 'Items'), h('dd', {}, itemsSentence(items))] : []),
  )
  return fragment ? [list, ...fragmentBlock(fragment)] : [list]
}

/** Characters that two texts have in common before their difference is marked. */
const enoughShared = 8

function marked(a: string, b: string): [Child[], Child[]] {
  const words = a.split(/\b/)
  const others = b.split(/\b/)
  const from = commonLength(words, others)
  const tail = commonLength(words.slice(from).reverse(), others.slice(from).reverse())
  if ([...words.slice(0, from), ...words.slice(words.length - tail)].join('').length < enoughShared)
    return [[a], [b]]
  const split = (all: readonly string[]) => {
    const middle = all.slice(from, all.length - tail).join('')
    return [
      all.slice(0, from).join(''),
      ...(middle === '' ? [] : [h('mark', {}, middle)]),
      all.slice(all.length - tail).join(''),
    ]
  }
  return [split(words), split(others)]
}

function commonLength(a: readonly string[], b: readonly string[]) {
  const length = a.findIndex((word, index) => word !== b[index])
  return length < 0 ? a.length : length
}

/** The JSON around the deviation, scrolled to the marked place. */
function fragmentBlock(fragment: JsonFragment): Child[] {
  const lines = linesOf(fragment)
  // On paper, three lines on each side of the marked place are visible.
  const isNear = (index: number) =>
    lines.some((line, at) => line.marked && Math.abs(at - index) <= 3)
  const drawn = lines.flatMap(({ text, marked: hit }, index) => {
    if (hit) return [h('mark', {}, text), '\n']
    return isNear(index) ? [`${text}\n`] : [h('span', { class: 'far' }, `${text}\n`)]
  })
  const block = h(
    'pre',
    { class: 'fragment', tabindex: '0', 'aria-label': 'JSON around the deviation' },
    ...drawn,
  )
  requestAnimationFrame(() => {
    const mark = block.querySelector('mark')
    if (mark && block.scrollHeight > block.clientHeight) block.scrollTop = mark.offsetTop - 40
  })
  const place = fragment.at === '' ? [] : [' at ', h('code', {}, fragment.at)]
  return [h('p', { class: 'place' }, 'In the body', ...place, ':'), block]
}

function copyable(script: string) {
  const source = h('pre', { tabindex: '0', 'aria-label': 'shell script' }, script)
  const button = h('button', { type: 'button', class: 'copy' }, 'Copy')
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(script)
      button.textContent = 'Copied'
    } catch {
      getSelection()?.selectAllChildren(source)
      button.textContent = 'Selected: press Ctrl-C'
    }
  })
  return h('div', { class: 'script' }, h('p', {}, 'To reproduce it: ', button), source)
}

/** The exchanges with these ids, as they went over the wire; the last one is open. */
function exchangeBlocks(ids: readonly string[], { report }: ReportLane) {
  const known = new Map(report.exchanges.map((exchange) => [exchange.id, exchange]))
  return ids
    .flatMap((id) => known.get(id) ?? [])
    .map((exchange, index, { length }) => block(exchange, index === length - 1))
}

/** A button that draws exchanges. */
export function exchangeButton(ids: readonly string[], lane: ReportLane): Child[] {
  if (ids.length === 0) return []
  const button = h(
    'button',
    { type: 'button' },
    `Show ${counted(ids.length, 'exchange')} under ${lane.name}`,
  )
  const paragraph = h('p', { class: 'lazy' }, button)
  button.addEventListener('click', () => paragraph.replaceWith(...exchangeBlocks(ids, lane)))
  return [paragraph]
}

function block({ request, response, as }: ExchangeRecord, isOpen: boolean) {
  const sent = [h('strong', {}, request.method), ' ', h('code', {}, request.url), ` as ${as} → `]
  const summary = [...sent, h('strong', {}, String(response.status))]
  return disclosure({ class: 'exchange', ...(isOpen ? { open: '' } : {}) }, summary, () => [
    h('pre', { tabindex: '0', 'aria-label': 'request' }, ...message(request.headers, request.body)),
    h(
      'pre',
      { tabindex: '0', 'aria-label': 'response' },
      ...message(response.headers, bodyOf(response)),
    ),
  ])
}

function message(headers: ExchangeRecord['request']['headers'] = [], body = '') {
  const lines = headers.map(([name, value]) => `${name}: ${value}\n`).join('')
  return body === '' ? [lines] : [`${lines}\n`, ...coloured(body)]
}

/** A body with its names, texts and other values in colour. Long ones stay plain: they would take thousands of elements. */
function coloured(body: string, longest = 60_000): Child[] {
  if (body.length > longest) return [body]
  const tokens = body.split(/("(?:[^"\\\n]|\\.)*"(?::)?|\b(?:true|false|null)\b|-?\b\d[\d.eE+-]*)/)
  const kindOf = (token: string) =>
    token.endsWith(':') ? 'name' : token.startsWith('"') ? 'text' : 'value'
  return tokens.map((token, index) =>
    index % 2 === 0 ? token : h('span', { class: kindOf(token) }, token),
  )
}

function bodyOf({ body, bodyBytes, bodySha256, truncated }: ExchangeRecord['response']) {
  if (!body)
    return bodyBytes === 0 ? '' : `(the report has no body of ${counted(bodyBytes, 'byte')})`
  return truncated
    ? `${indented(body)}\n… cut, ${counted(bodyBytes, 'byte')}, SHA-256 ${bodySha256}`
    : indented(body)
}
