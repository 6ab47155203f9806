import type { CheckRecord } from '../../record/check-record.ts'
import type { ExchangeRecord } from '../../record/exchange-record.ts'
import type { Report } from '../../record/version-report.ts'
import { cut, printable } from '../../text/show.ts'
import { fragmentLines } from './fragment.ts'
import { reproductionOf } from './reproduction.ts'

/** Characters of a body that a failure block shows. */
const bodyCharacters = 400

/** Lines of JSON around the pointer that a failure block shows. */
const fragmentHeight = 14

/** A deviation in its fixed form: claim, section, expected, actual, the place in the body, the exchange, how to repeat it. Plain text, safe for a terminal. */
export function failureBlock(check: CheckRecord, report: Pick<Report, 'exchanges'>): string[] {
  const { deviation } = check
  const last = report.exchanges.find(({ id }) => id === deviation?.exchanges.at(-1))
  const again = reproductionOf(check, report.exchanges)
  return [
    `${check.outcome.toUpperCase()} ${check.id}`,
    `  claim     ${check.endpoint} ${check.title}`,
    `  section   ${check.section} (${check.requirements.join(', ')}, ${check.level})`,
    `  expected  ${printable(deviation?.expected ?? '')}`,
    `  actual    ${printable(deviation?.actual ?? check.detail)}${deviation?.pointer ? ` at ${printable(deviation.pointer)}` : ''}`,
    ...(last ? exchangeLines(last, deviation?.fragment === undefined) : []),
    ...(deviation?.fragment ? fragmentLines(deviation.fragment, fragmentHeight).map((line) => `            ${line}`) : []),
    ...again.map((line, index) => `${index === 0 ? '  again     ' : '            '}${line}`),
  ]
}

function exchangeLines({ request, response, as }: ExchangeRecord, withBody: boolean): string[] {
  const body = withBody ? printable(cut(response.body ?? '', bodyCharacters)) : ''
  return [
    `  sent      ${request.method} ${printable(request.url)} as ${as}`,
    `  got       ${response.status}, ${response.bodyBytes} bytes${body === '' ? '' : `: ${body}`}`,
  ]
}
