import type { CheckRecord } from '../../record/check-record.ts'
import type { ExchangeRecord } from '../../record/exchange-record.ts'
import type { Report } from '../../record/report.ts'
import { curlOf } from '../evidence/curl.ts'
import { html, type Markup, text } from './markup.ts'

type Found = NonNullable<CheckRecord['deviation']>

/** A deviation: expected against actual with the difference marked, the exchanges, and a script that repeats them. */
export function deviationBlock({ expected, actual, pointer, exchanges }: Found, report: Report): Markup {
  const shown = exchanges.flatMap((id) => report.exchanges.filter((exchange) => exchange.id === id))
  const [wanted, got] = marked(text(expected), text(actual))
  return html`<dl class="deviation"><dt>Expected</dt><dd>${wanted}</dd><dt>Actual</dt><dd>${got}</dd>
${pointer === undefined ? '' : html`<dt>At</dt><dd><code>${text(pointer)}</code></dd>`}</dl>
${shown.map(exchangeBlock)}
${shown.length === 0 ? '' : script(shown)}`
}

/** Characters that two texts must share before marking the rest helps a reader. */
const enoughShared = 8

/** Both texts, with what lies between their common beginning and end marked; unmarked where they have nothing to compare. */
function marked(a: string, b: string): [Markup, Markup] {
  const from = commonLength(a, b)
  const tail = commonLength(reverse(a.slice(from)), reverse(b.slice(from)))
  if (from + tail < enoughShared) return [html`${a}`, html`${b}`]
  const split = (whole: string) => {
    const middle = whole.slice(from, whole.length - tail)
    const mark = middle === '' ? '' : html`<mark>${middle}</mark>`
    return html`${whole.slice(0, from)}${mark}${whole.slice(whole.length - tail)}`
  }
  return [split(a), split(b)]
}

function commonLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1
  return length
}

function reverse(line: string): string {
  return line.split('').reverse().join('')
}

/** One exchange, as it went over the wire. */
function exchangeBlock({ request, response, as }: ExchangeRecord): Markup {
  const cut = response.truncated ? `\n… cut, ${response.bodyBytes} bytes, SHA-256 ${response.bodySha256}` : ''
  return html`<div class="exchange"><p><strong>${request.method}</strong> <code>${text(request.url)}</code> as ${as} → <strong>${response.status}</strong></p>
<pre tabindex="0" aria-label="request">${lines(request.headers)}${request.body === undefined ? '' : `\n${text(request.body)}`}</pre>
<pre tabindex="0" aria-label="response">${lines(response.headers)}

${text(pretty(response.body ?? ''))}${cut}</pre></div>`
}

function lines(headers: ExchangeRecord['request']['headers']): string {
  return headers.map(([name, value]) => text(`${name}: ${value}`)).join('\n')
}

/** JSON with indentation; anything else as it came. */
function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

function script(exchanges: readonly ExchangeRecord[]): Markup {
  const steps = exchanges.map((exchange) => text(curlOf(exchange))).join('\n')
  return html`<div class="script"><p>To reproduce it: <button type="button" class="copy">Copy</button></p><pre tabindex="0" aria-label="curl commands">${steps}</pre></div>`
}
