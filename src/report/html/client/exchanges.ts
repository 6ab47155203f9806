import type { ExchangeRecord } from '../../../record/exchange-record.ts'
import { type Child, counted, disclosure, h } from './dom.ts'

type Known = Readonly<Record<string, ExchangeRecord>>

/** The exchanges with these ids, as they went over the wire; the last one is open. */
export function exchangeBlocks(ids: readonly string[], known: Known): HTMLElement[] {
  const found = ids.flatMap((id) => known[id] ?? [])
  return found.map((exchange, index) => exchangeBlock(exchange, index === found.length - 1))
}

/** A button that draws exchanges. */
export function exchangeButton(ids: readonly string[], known: Known, part: string): Child[] {
  if (ids.length === 0) return []
  const button = h('button', { type: 'button' }, `Show ${counted(ids.length, 'exchange')} under ${part}`)
  const paragraph = h('p', { class: 'lazy' }, button)
  button.addEventListener('click', () => paragraph.replaceWith(...exchangeBlocks(ids, known)))
  return [paragraph]
}

function exchangeBlock({ request, response, as }: ExchangeRecord, open: boolean): HTMLElement {
  const head = [
    h('strong', {}, request.method),
    ' ',
    h('code', {}, request.url),
    ` as ${as} → `,
    h('strong', {}, String(response.status)),
  ]
  return disclosure({ class: 'exchange', ...(open ? { open: '' } : {}) }, head, () => [
    text('request', headerLines(request.headers, request.body)),
    text('response', headerLines(response.headers, bodyOf(response))),
  ])
}

function text(label: string, content: string): HTMLElement {
  return h('pre', { tabindex: '0', 'aria-label': label }, content)
}

function headerLines(headers: ExchangeRecord['request']['headers'], body = ''): string {
  const lines =
    headers?.map(([name, value]) => `${name}: ${value}`).join('\n') ?? 'The report contains no header lines of a passed check.'
  return body === '' ? lines : `${lines}\n\n${body}`
}

function bodyOf({ body, bodyBytes, bodySha256, truncated }: ExchangeRecord['response']): string {
  if (body === undefined || (body === '' && bodyBytes > 0)) return `(body of ${bodyBytes} bytes, not in the report)`
  return truncated ? `${body}\n… cut, ${bodyBytes} bytes, SHA-256 ${bodySha256}` : body
}
