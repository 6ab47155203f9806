import type { CheckRecord, DeviationRecord, JsonFragment } from '../../record/check-record.ts'
import type { ExchangeRecord } from '../../record/exchange-record.ts'
import { titleOf } from '../../record/lane-name.ts'
import type { ReportLane } from '../../record/report-lanes.ts'
import type { Report } from '../../record/run-record.ts'
import { groupBy, sumOf } from '../../text/data.ts'
import { counted, cut, duration, grouped, printable } from '../../text/format.ts'
import { lastStep, reproductionOf } from './reproduction.ts'

/** A check as one lane of the report judged it. */
export interface Judgement {
  readonly lane: ReportLane
  readonly check: CheckRecord
}

/** The judgements of all lanes, lane by lane. */
export function judgementsIn(lanes: readonly ReportLane[]) {
  return lanes.flatMap((lane) => lane.report.checks.map((check) => ({ lane, check })))
}

/** The outcomes that a reader looks at first, the worst first. */
const deviatingOutcomes = ['failed', 'warned', 'waived'] as const

type DeviatingOutcome = (typeof deviatingOutcomes)[number]

/** A deviation: a check with the versions in which it has the same outcome. */
export interface Finding {
  readonly outcome: DeviatingOutcome
  /** The judgement whose evidence is shown: the one of the newest version. */
  readonly latest: Judgement
  /** The names of all lanes with this outcome. */
  readonly names: readonly string[]
  /** The older judgements with other evidence. */
  readonly others: readonly Judgement[]
}

/** The deviations of a run, each check once for each outcome: failed, then warned, then waived. */
export function findingsOf(
  lanes: readonly ReportLane[],
  outcomes: readonly DeviatingOutcome[] = deviatingOutcomes,
): Finding[] {
  const judgements = judgementsIn(lanes)
  return outcomes.flatMap((outcome) => {
    const found = judgements.filter(({ check }) => check.outcome === outcome)
    return [...groupBy(found, ({ check }) => check.id).values()].map((same) => {
      const latest = same.at(-1) as Judgement
      const others = same.filter((one) => evidenceIn(one) !== evidenceIn(latest))
      return { outcome, latest, names: same.map(({ lane }) => lane.name), others }
    })
  })
}

/** Deviations of one cause. The evidence of the first is shown. */
export type SameCause<Item = Finding> = readonly [Item, ...Item[]]

/** The deviations of a run, each cause once. */
export function causesOf(...found: Parameters<typeof findingsOf>) {
  return groupedByCause(findingsOf(...found), deviantOf)
}

/** A check that deviates, with the response that deviates if it is known. */
interface Deviant {
  readonly check: CheckRecord
  readonly last?: ExchangeRecord | undefined
}

/** A deviation with its response. */
export function deviantOf({ latest: { check, lane } }: Finding) {
  return { check, last: lastExchange(check, lane.report) }
}

/** Items by the cause of their deviation: the same response of an endpoint, or the same difference from a requirement at any endpoint. */
export function groupedByCause<Item>(
  items: readonly Item[],
  of: (item: Item) => Deviant,
): SameCause<Item>[] {
  const equal = [...groupBy(items, (item) => responseKey(of(item))).values()]
  const joined = groupBy(equal, ([first]) => differenceKey(of(first as Item)))
  return [...joined.values()].map((same) => same.flat()) as unknown as SameCause<Item>[]
}

/** Deviations with equal outcome, endpoint, response and place in an item of the body have one cause. */
function responseKey({ check, last }: Deviant) {
  const { outcome } = check
  return JSON.stringify([
    outcome,
    endpointOf({ check, last }),
    last?.response.status,
    placeIn(check),
    actualOf(check),
  ])
}

/** So have deviations from one requirement with the same difference, on any endpoint. */
function differenceKey({ check, last }: Deviant) {
  const { outcome, requirements, deviation } = check
  const words = [last?.response.status, deviation?.expected, actualOf(check), placeIn(check)]
  return JSON.stringify([outcome, requirements, deviation?.difference ?? words])
}

/** The endpoint of the response that deviates. */
const endpointOf = ({ check, last }: Deviant) => last?.endpoint ?? check.endpoint

/** The place of a deviation, the same for all items of a list. */
function placeIn({ deviation }: CheckRecord) {
  return deviation?.pointer?.replaceAll(/\/\d+(?=\/|$)/g, '/*')
}

/** The words of a cause, and the endpoints, lanes and judgements that it has. A check counts once for each lane. */
export function causeFacts(cause: SameCause) {
  const actuals = new Set(cause.map(({ latest: { check } }) => actualOf(check)))
  const { deviation } = cause[0].latest.check
  const words =
    actuals.size > 1 && deviation?.difference
      ? `${deviation.difference.of} ${deviation.difference.is}`
      : actualOf(cause[0].latest.check)
  return {
    words: cut(words, 80),
    endpoints: new Set(cause.map((each) => endpointOf(deviantOf(each)))).size,
    lanes: [...new Set(cause.flatMap(({ names }) => names))],
    checks: sumOf(cause, ({ names }) => names.length),
  }
}

/** The difference between the expected and the actual. */
function actualOf({ deviation, detail }: CheckRecord) {
  return deviation?.actual ?? detail
}

/** The deviating request in brackets: whose token it has, and how it varies the plain one of its endpoint. */
export function variationText({ variation }: DeviationRecord) {
  return variation === undefined ? '' : ` (request ${variation})`
}

/** The name of a cause: its first check and the versions unless they are `all`, or the difference with the number of its endpoints. */
export function causeName(
  cause: SameCause,
  { id = (name: string) => name, words: write = printable, all = 0 } = {},
) {
  const [{ latest, names }, ...same] = cause
  const { words, endpoints, lanes, checks } = causeFacts(cause)
  if (endpoints > 1)
    return `${write(words)} on ${endpoints} endpoints, ${lanesText(lanes)} (${counted(checks, 'check')})`
  const under = names.length === all ? '' : ` (${names.join(', ')})`
  const more = same.length === 0 ? '' : ` and ${counted(same.length, 'check')} with the same cause`
  return `${id(latest.check.id)}${under}${more}`
}

function lanesText(lanes: readonly string[]) {
  return lanes.length > 1 ? counted(lanes.length, 'version') : lanes.join()
}

/** The causes that may be shown in full: the first of each area, then those of most checks. Warnings are among them only if nothing failed. */
export function inFull(causes: readonly SameCause[]) {
  const worst = causes.filter(([{ outcome }]) => outcome === causes[0]?.[0].outcome)
  const areas = [...groupBy(worst, ([{ latest }]) => latest.check.area).values()]
  const frequent = worst.toSorted((a, b) => causeFacts(b).checks - causeFacts(a).checks)
  const first = areas.flatMap((own) => own.slice(0, 1))
  return [...new Set([...first, ...frequent])]
}

/** The state of a check in a lane: its outcome, or `suspected` if it missed an effect and nothing has confirmed that. */
export function stateOf({ lane, check }: Judgement) {
  return lane.provisional && check.suspicions ? 'suspected' : check.outcome
}

/** How a check missed the effects of its requests; undefined for a check that missed none. */
export function missText({ lane, check }: Judgement) {
  const { suspicions, confirmedAs, durationMs } = check
  if (!suspicions) return undefined
  const effects = suspicions.join('; ')
  if (lane.provisional) return `suspected: looked for ${duration(durationMs)} (${effects})`
  if (!confirmedAs) return `looked for with the whole patience (${effects})`
  return `confirmed as ${confirmedAs.check} (${titleOf(confirmedAs.lane)}), with the same finding (${effects})`
}

function evidenceIn({ check: { deviation, detail } }: Judgement) {
  return deviation ? `${deviation.expected}\n${deviation.actual}` : detail
}

/** The exchange with the response that deviates. */
export function lastExchange(
  { deviation }: CheckRecord,
  { exchanges }: Pick<Report, 'exchanges'>,
): ExchangeRecord | undefined {
  return exchanges.find(({ id }) => id === deviation?.exchanges.at(-1))
}

/** How many items break a claim, and the member that they alone share. */
export function itemsSentence({ failing, of, trait }: NonNullable<DeviationRecord['items']>) {
  const counts = `${grouped(failing)} of ${counted(of, 'item')} ${failing === 1 ? 'breaks' : 'break'} the claim`
  return trait
    ? `${counts}: each has ${trait.member} ${trait.value}, and no other item has it`
    : counts
}

/** A deviation as lines that are safe for a terminal, with all commands that repeat it. */
export function failureBlock(check: CheckRecord, report: Pick<Report, 'exchanges'>) {
  const { deviation } = check
  const last = lastExchange(check, report)
  const again = reproductionOf(check, report.exchanges)
  const start = deviation?.fragment ? undefined : last?.response.body
  return [
    `${check.outcome.toUpperCase()} ${check.id}`,
    ...claimLines(check),
    ...(deviation?.items ? [`  items     ${printable(itemsSentence(deviation.items))}`] : []),
    ...besideOf(check, report).map(({ line }) => line),
    ...(last ? [`  sent      ${sentText(last)}`, gotLine(check, last, cut(start ?? '', 400))] : []),
    ...(deviation?.fragment
      ? fragmentLines(deviation.fragment).map((line) => `            ${line}`)
      : []),
    ...again.map((line, index) => `${index === 0 ? '  again     ' : '            '}${line}`),
  ]
}

/** A deviation in few lines that are safe for a terminal: the difference, and the last request with its response. */
export function shortBlock(check: CheckRecord, report: Pick<Report, 'exchanges'>) {
  const { deviation } = check
  const last = lastExchange(check, report)
  const beside = besideOf(check, report).findLast(
    ({ outline }) => outline !== deviation?.responses?.at(-1),
  )
  const lines = [
    ...claimLines(check),
    ...(deviation?.items?.trait
      ? [`  items     ${printable(itemsSentence(deviation.items))}`]
      : []),
    ...(beside ? [beside.line] : []),
  ]
  if (!last) return lines
  const marked = deviation?.fragment && linesOf(deviation.fragment).filter((line) => line.marked)
  const start = marked ? `…${marked.map(({ text }) => text).join(' ')}` : (last.response.body ?? '')
  const got = gotLine(check, last, start.replace(/\s+/g, ' ').trim())
  return [...lines, cut(got, 78), `  again     ${lastStep(last, check, report.exchanges)}`]
}

/** The claim of a check and the deviation from it, as texts that are safe for a terminal: of each value at most `most` characters. */
export function differenceOf(
  { endpoint, title, deviation, detail }: CheckRecord,
  most = Number.POSITIVE_INFINITY,
) {
  const { expected = '', actual = detail, pointer } = deviation ?? {}
  const place = pointer ? ` at ${pointer}` : ''
  return {
    claim: `${endpoint} ${title}`,
    expected: printable(cut(expected, most)),
    actual: printable(`${cut(actual, most)}${place}`),
  }
}

/** The claim of a check, its section of the document, and the deviation from it with its request, as lines that are safe for a terminal. */
export function claimLines(check: CheckRecord) {
  const { claim, expected, actual } = differenceOf(check)
  const request = check.deviation ? printable(variationText(check.deviation)) : ''
  return [
    `  claim     ${claim} (${check.section})`,
    `  expected  ${expected}`,
    `  actual    ${actual}${request}`,
  ]
}

/** The last two responses with which the deviating one was compared. */
function besideOf({ deviation }: CheckRecord, { exchanges }: Pick<Report, 'exchanges'>) {
  const { responses, exchanges: ids = [] } = deviation ?? {}
  return (responses ?? [])
    .slice(0, -1)
    .flatMap((outline, index) => {
      const found = exchanges.find(({ id }) => id === ids[index])
      return found ? [{ outline, line: `  beside    ${sentText(found)}: ${outline}` }] : []
    })
    .slice(-2)
}

/** `GET /events?per_page=1 as OWNER_TOKEN` */
function sentText({ request, as }: ExchangeRecord) {
  return `${request.method} ${printable(request.url.replace(/^https?:\/\/[^/]+/, ''))} as ${as}`
}

function gotLine({ deviation }: CheckRecord, { response }: ExchangeRecord, start: string) {
  const outline = deviation?.responses?.at(-1) ?? response.status
  return `  got       ${outline}${start === '' ? '' : `: ${printable(start)}`}`
}

/** The most lines of a fragment. */
const height = 14

/** Some lines around the marked place as plain text, the place marked with `>`. A part too large to be indented is one line. */
function fragmentLines(fragment: JsonFragment) {
  const all = linesOf(fragment)
  const place = all.findIndex(({ marked }) => marked)
  const before = Math.floor(height / 4)
  const from = Math.max(0, Math.min(place - before, all.length - height))
  const shown = all
    .slice(from, from + height)
    .map(({ text, marked }) => `${marked ? '>' : ' '} ${cut(text, 240)}`)
  return [...(from > 0 ? ['  …'] : []), ...shown, ...(from + height < all.length ? ['  …'] : [])]
}

/** The lines of a fragment, each printable; the pointer of the deviation names the `marked` lines. */
export function linesOf({
  json,
  lines: [first, last],
}: JsonFragment): { text: string; marked: boolean }[] {
  return json.split('\n').map((text, index) => ({
    text: printable(text),
    marked: index + 1 >= first && index + 1 <= last,
  }))
}
