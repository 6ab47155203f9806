import type { CheckRecord } from '../../record/check-record.ts'
import type { ExchangeRecord } from '../../record/exchange-record.ts'
import type { Report } from '../../record/report.ts'
import { printable } from '../../text/show.ts'
import { curlOf } from './curl.ts'

/** Lines of a body that a failure block shows. */
const bodyCharacters = 400

/** A deviation in its fixed form: claim, section, expected, actual, the exchange, a curl line. Plain text, safe for a terminal. */
export function failureBlock(check: CheckRecord, report: Pick<Report, 'exchanges'>): string[] {
  const { deviation } = check
  const shown =
    deviation?.exchanges
      .map((id) => report.exchanges.find((exchange) => exchange.id === id))
      .filter((found) => found !== undefined) ?? []
  const last = shown.at(-1)
  return [
    `${check.outcome.toUpperCase()} ${check.id}`,
    `  claim     ${check.endpoint} ${check.title}`,
    `  section   ${check.section} (${check.requirements.join(', ')}, ${check.level})`,
    `  expected  ${printable(deviation?.expected ?? '')}`,
    `  actual    ${printable(deviation?.actual ?? check.detail)}${deviation?.pointer ? ` at ${printable(deviation.pointer)}` : ''}`,
    ...(last ? exchangeLines(last) : []),
    ...shown.map((exchange) => `  again     ${printable(curlOf(exchange))}`),
  ]
}

function exchangeLines({ request, response, as }: ExchangeRecord): string[] {
  const body = printable(response.body.slice(0, bodyCharacters))
  return [
    `  sent      ${request.method} ${printable(request.url)} as ${as}`,
    `  got       ${response.status}, ${response.bodyBytes} bytes${body === '' ? '' : `: ${body}${response.bodyBytes > bodyCharacters ? '…' : ''}`}`,
  ]
}
