import type { CheckRecord, JsonFragment } from '../../record/check-record.ts'
import type { ExchangeRecord } from '../../record/exchange-record.ts'
import type { Report } from '../../record/version-report.ts'
import { cut, printable } from '../../text/format.ts'
import { itemsSentence, lastExchange } from './findings.ts'
import { reproductionOf } from './reproduction.ts'

/** A deviation as text that is safe for a terminal, with the commands that repeat it; with the failing one if `isShort`. */
export function failureBlock(check: CheckRecord, report: Pick<Report, 'exchanges'>, isShort = false): string[] {
  const { deviation } = check
  const last = lastExchange(check, report)
  const again = reproductionOf(check, report.exchanges, isShort)
  return [
    `${check.outcome.toUpperCase()} ${check.id}`,
    `  claim     ${check.endpoint} ${check.title}`,
    `  section   ${check.section} (${check.requirements.join(', ')}, ${check.level})`,
    `  expected  ${printable(deviation?.expected ?? '')}`,
    `  actual    ${printable(deviation?.actual ?? check.detail)}${deviation?.pointer ? ` at ${printable(deviation.pointer)}` : ''}`,
    ...(deviation?.items ? [`  items     ${printable(itemsSentence(deviation.items))}`] : []),
    ...(last ? exchangeLines(last, deviation?.fragment ? 0 : isShort ? 100 : 400) : []),
    ...(deviation?.fragment ? fragmentLines(deviation.fragment).map((line) => `            ${line}`) : []),
    ...again.map((line, index) => `${index === 0 ? '  again     ' : '            '}${line}`),
  ]
}

function exchangeLines({ request, response, as }: ExchangeRecord, bodyCharacters: number): string[] {
  const body = bodyCharacters > 0 ? printable(cut(response.body ?? '', bodyCharacters)) : ''
  return [
    `  sent      ${request.method} ${printable(request.url)} as ${as}`,
    `  got       ${response.status}, ${response.bodyBytes} bytes${body === '' ? '' : `: ${body}`}`,
  ]
}

/** Some lines around the marked place as plain text, the place marked with `>`. A part too large to be indented is one line. */
function fragmentLines(fragment: JsonFragment, height = 14, width = 240): string[] {
  const all = linesOf(fragment)
  const place = all.findIndex(({ marked }) => marked)
  const from = Math.max(0, Math.min(place - 3, all.length - height))
  const shown = all.slice(from, from + height).map(({ text, marked }) => `${marked ? '>' : ' '} ${cut(text, width)}`)
  return [...(from > 0 ? ['  …'] : []), ...shown, ...(from + height < all.length ? ['  …'] : [])]
}

/** The lines of a fragment, each printable; `marked` are those that the deviation's pointer names. */
export function linesOf({ json, lines: [first, last] }: JsonFragment): { text: string; marked: boolean }[] {
  return json.split('\n').map((text, index) => ({ text: printable(text), marked: index + 1 >= first && index + 1 <= last }))
}
