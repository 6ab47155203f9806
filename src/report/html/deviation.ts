import type { CheckRecord, JsonFragment } from '../../record/check-record.ts'
import type { ExchangeRecord } from '../../record/exchange-record.ts'
import type { Report } from '../../record/version-report.ts'
import { linesOf } from '../view/fragment.ts'
import { indented } from '../view/indented.ts'
import { reproductionOf } from '../view/reproduction.ts'
import { html, type Markup, text } from './markup.ts'

/** A deviation: expected against actual with the difference marked, the place in the body, the exchanges, and a script that repeats them. */
export function deviationBlock(check: CheckRecord, report: Report): Markup {
  const { expected = '', actual = '', pointer, exchanges = [], fragment } = check.deviation ?? {}
  const shown = exchanges.flatMap((id) => report.exchanges.filter((exchange) => exchange.id === id))
  const [wanted, got] = marked(text(expected), text(actual))
  return html`<dl class="deviation"><dt>Expected</dt><dd class="wanted">${wanted}</dd><dt>Actual</dt><dd class="got">${got}</dd>
${pointer === undefined || pointer === '' ? '' : html`<dt>At</dt><dd><code>${text(pointer)}</code></dd>`}</dl>
${fragment ? fragmentBlock(fragment) : ''}
${shown.map((exchange, index) => exchangeBlock(exchange, fragment === undefined && index === shown.length - 1))}
${script(reproductionOf(check, report.exchanges))}`
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

/** Lines around the marked place that are printed on paper. */
const near = 3

/** The JSON around the pointer, the place marked. */
function fragmentBlock(fragment: JsonFragment): Markup {
  const lines = linesOf(fragment)
  const isNear = (index: number) => lines.slice(Math.max(0, index - near), index + near + 1).some((line) => line.marked)
  const block = lines.map(({ text: line, marked: hit }, index) => {
    if (hit) return html`<mark>${text(line)}</mark>\n`
    return isNear(index) ? html`${text(line)}\n` : html`<span class="far">${text(line)}\n</span>`
  })
  return html`<p class="place">In the body${fragment.at === '' ? '' : html` at <code>${text(fragment.at)}</code>`}:</p><pre class="fragment" tabindex="0" aria-label="JSON around the deviation">${block}</pre>`
}

/** One exchange, as it went over the wire. */
function exchangeBlock({ request, response, as }: ExchangeRecord, open: boolean): Markup {
  const cut = response.truncated ? `\n… cut, ${response.bodyBytes} bytes, SHA-256 ${response.bodySha256}` : ''
  return html`<details class="exchange"${open ? html` open` : ''}><summary><strong>${request.method}</strong> <code>${text(request.url)}</code> as ${as} → <strong>${response.status}</strong></summary>
<pre tabindex="0" aria-label="request">${lines(request.headers)}${request.body === undefined ? '' : `\n${text(request.body)}`}</pre>
<pre tabindex="0" aria-label="response">${lines(response.headers)}

${response.body === undefined ? `no body was kept of ${response.bodyBytes} bytes` : text(indented(response.body))}${cut}</pre></details>`
}

function lines(headers: ExchangeRecord['request']['headers']): string {
  return headers.map(([name, value]) => text(`${name}: ${value}`)).join('\n')
}

function script(lines: readonly string[]): Markup | string {
  if (lines.length === 0) return ''
  return html`<div class="script"><p>To reproduce it: <button type="button" class="copy">Copy</button></p><pre tabindex="0" aria-label="shell script">${lines.join('\n')}</pre></div>`
}
