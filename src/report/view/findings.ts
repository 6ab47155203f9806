import type { CheckRecord, DeviationRecord, JsonFragment } from '../../record/check-record.ts'
import type { ExchangeRecord } from '../../record/exchange-record.ts'
import { titleOf } from '../../record/lane-name.ts'
import type { ReportLane } from '../../record/report-lanes.ts'
import type { Report } from '../../record/run-record.ts'
import { groupBy } from '../../text/data.ts'
import { counted, cut, duration, grouped, printable } from '../../text/format.ts'
import { reproductionOf } from './reproduction.ts'

/** A check as one lane of the report judged it. */
export interface Judgement {
  readonly lane: ReportLane
  readonly check: CheckRecord
}

/** The judgements of all lanes, lane by lane. */
export function judgementsIn(lanes: readonly ReportLane[]): Judgement[] {
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
export type SameCause = readonly [Finding, ...Finding[]]

/** The deviations of a run, each cause once. */
export function causesOf(...found: Parameters<typeof findingsOf>): SameCause[] {
  return [...groupBy(findingsOf(...found), causeOf).values()] as unknown as SameCause[]
}

/** The name of a cause: its first check, the versions, and the number of further checks. */
export function causeName(
  [{ latest, names }, ...same]: SameCause,
  write = (id: string) => id,
): string {
  const more = same.length === 0 ? '' : ` and ${counted(same.length, 'check')} with the same cause`
  return `${write(latest.check.id)} (${names.join(', ')})${more}`
}

/** The state of a check in a lane: its outcome, or `suspected` if it missed an effect and nothing has confirmed that. */
export function stateOf({ lane, check }: Judgement): string {
  return lane.provisional && check.suspicions ? 'suspected' : check.outcome
}

/** How a check missed the effects of its requests; undefined for a check that missed none. */
export function missText({ lane, check }: Judgement): string | undefined {
  const { suspicions, confirmedAs, durationMs } = check
  if (!suspicions) return undefined
  const effects = suspicions.join('; ')
  if (lane.provisional) return `suspected: looked for ${duration(durationMs)} (${effects})`
  if (!confirmedAs) return `missed with the whole patience (${effects})`
  return `confirmed as ${confirmedAs.check} (${titleOf(confirmedAs.lane)}), which missed the same (${effects})`
}

function evidenceIn({ check: { deviation, detail } }: Judgement): string {
  return deviation ? `${deviation.expected}\n${deviation.actual}` : detail
}

/** The exchange with the response that deviates. */
export function lastExchange(
  { deviation }: CheckRecord,
  { exchanges }: Pick<Report, 'exchanges'>,
): ExchangeRecord | undefined {
  return exchanges.find(({ id }) => id === deviation?.exchanges.at(-1))
}

/** The cause of a deviation as a text. Deviations with equal outcome, endpoint, response and place in an item of the body have one cause. */
export function causeOf({ latest: { check, lane } }: Finding): string {
  return causeKey(check, lastExchange(check, lane.report))
}

/** The cause of a check's deviation as a text, with the response that deviates if it is known. */
export function causeKey(
  { outcome, deviation, endpoint, detail }: CheckRecord,
  last?: ExchangeRecord,
): string {
  const place = deviation?.pointer?.replaceAll(/\/\d+(?=\/|$)/g, '/*')
  return JSON.stringify([
    outcome,
    last?.endpoint ?? endpoint,
    last?.response.status,
    place,
    deviation?.actual ?? detail,
  ])
}

/** How many items break a claim, and the member that they alone share. */
export function itemsSentence({
  failing,
  of,
  trait,
}: NonNullable<DeviationRecord['items']>): string {
  const counts = `${grouped(failing)} of ${counted(of, 'item')} ${failing === 1 ? 'breaks' : 'break'} the claim`
  return trait
    ? `${counts}: each has ${trait.member} ${trait.value}, and no other item has it`
    : counts
}

/** A deviation as lines that are safe for a terminal, with the commands that repeat it: all of them, or the failing one if `isShort`. */
export function failureBlock(
  check: CheckRecord,
  report: Pick<Report, 'exchanges'>,
  isShort = false,
): string[] {
  const { deviation } = check
  const last = lastExchange(check, report)
  const again = reproductionOf(check, report.exchanges, isShort)
  return [
    `${check.outcome.toUpperCase()} ${check.id}`,
    ...claimLines(check),
    ...(deviation?.items ? [`  items     ${printable(itemsSentence(deviation.items))}`] : []),
    ...(last ? exchangeLines(last, deviation?.fragment ? 0 : isShort ? 100 : 400) : []),
    ...(deviation?.fragment
      ? fragmentLines(deviation.fragment).map((line) => `            ${line}`)
      : []),
    ...again.map((line, index) => `${index === 0 ? '  again     ' : '            '}${line}`),
  ]
}

/** The claim of a check and the deviation from it, as lines that are safe for a terminal. */
export function claimLines({
  endpoint,
  title,
  section,
  requirements,
  level,
  deviation,
  detail,
}: CheckRecord): string[] {
  const place = deviation?.pointer ? ` at ${printable(deviation.pointer)}` : ''
  return [
    `  claim     ${endpoint} ${title}`,
    `  section   ${section} (${requirements.join(', ')}, ${level})`,
    `  expected  ${printable(deviation?.expected ?? '')}`,
    `  actual    ${printable(deviation?.actual ?? detail)}${place}`,
  ]
}

function exchangeLines(
  { request, response, as }: ExchangeRecord,
  bodyCharacters: number,
): string[] {
  const body =
    bodyCharacters > 0
      ? printable(cut(response.body?.replace(/\s+/g, ' ') ?? '', bodyCharacters))
      : ''
  return [
    `  sent      ${request.method} ${printable(request.url)} as ${as}`,
    `  got       ${response.status}, ${counted(response.bodyBytes, 'byte')}${body === '' ? '' : `: ${body}`}`,
  ]
}

/** Some lines around the marked place as plain text, the place marked with `>`. A part too large to be indented is one line. */
function fragmentLines(fragment: JsonFragment, height = 14, width = 240): string[] {
  const all = linesOf(fragment)
  const place = all.findIndex(({ marked }) => marked)
  const from = Math.max(0, Math.min(place - 3, all.length - height))
  const shown = all
    .slice(from, from + height)
    .map(({ text, marked }) => `${marked ? '>' : ' '} ${cut(text, width)}`)
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
