import type { ExchangeRecord } from '../../../record/exchange-record.ts'
import type { ReportPart } from '../../../record/report-parts.ts'
import { counted } from '../../../text/format.ts'
import { indented } from '../../view/indented.ts'
import { type Child, disclosure, h } from './dom.ts'

/** The exchanges with these ids, as they went over the wire; the last one is open. */
export function exchangeBlocks(ids: readonly string[], { report }: ReportPart): HTMLElement[] {
  const known = new Map(report.exchanges.map((exchange) => [exchange.id, exchange]))
  return ids.flatMap((id) => known.get(id) ?? []).map((exchange, index, { length }) => block(exchange, index === length - 1))
}

/** A button that draws exchanges. */
export function exchangeButton(ids: readonly string[], part: ReportPart): Child[] {
  if (ids.length === 0) return []
  const button = h('button', { type: 'button' }, `Show ${counted(ids.length, 'exchange')} under ${part.name}`)
  const paragraph = h('p', { class: 'lazy' }, button)
  button.addEventListener('click', () => paragraph.replaceWith(...exchangeBlocks(ids, part)))
  return [paragraph]
}

function block({ request, response, as }: ExchangeRecord, isOpen: boolean): HTMLElement {
  const sent = [h('strong', {}, request.method), ' ', h('code', {}, request.url), ` as ${as} → `]
  const summary = [...sent, h('strong', {}, String(response.status))]
  return disclosure({ class: 'exchange', ...(isOpen ? { open: '' } : {}) }, summary, () => [
    h('pre', { tabindex: '0', 'aria-label': 'request' }, ...message(request.headers, request.body)),
    h('pre', { tabindex: '0', 'aria-label': 'response' }, ...message(response.headers, bodyOf(response))),
  ])
}

function message(headers: ExchangeRecord['request']['headers'] = [], body = ''): Child[] {
  const lines = headers.map(([name, value]) => `${name}: ${value}\n`).join('')
  return body === '' ? [lines] : [`${lines}\n`, ...coloured(body)]
}

/** A body with its names, texts and other values in colour. Long ones stay plain: they would take thousands of elements. */
function coloured(body: string, longest = 60_000): Child[] {
  if (body.length > longest) return [body]
  const tokens = body.split(/("(?:[^"\\\n]|\\.)*"(?::)?|\b(?:true|false|null)\b|-?\b\d[\d.eE+-]*)/)
  const kindOf = (token: string) => (token.endsWith(':') ? 'name' : token.startsWith('"') ? 'text' : 'value')
  return tokens.map((token, index) => (index % 2 === 0 ? token : h('span', { class: kindOf(token) }, token)))
}

function bodyOf({ body, bodyBytes, bodySha256, truncated }: ExchangeRecord['response']): string {
  if (!body) return bodyBytes === 0 ? '' : `(the report has no body of these ${bodyBytes} bytes)`
  return truncated ? `${indented(body)}\n… cut, ${bodyBytes} bytes, SHA-256 ${bodySha256}` : indented(body)
}
