import { grouped, percentOf } from '../../record/coverage.ts'
import type { HistoryLine } from '../../record/history.ts'
import { html, type Markup, table, text } from './markup.ts'

/** Former runs that the page lists; the file has them all. */
const listedAtMost = 12

/** How the last runs came out, the latest first; nothing where there is no former run to compare with. */
export function trend(history: readonly HistoryLine[]): Markup | string {
  if (history.length < 2) return ''
  const last = history.slice(-listedAtMost).reverse()
  return html`<details class="trend" open><summary>Trend over ${grouped(history.length)} runs</summary>${table(
    'The last runs, the latest first',
    ['run', 'verdict', 'judged', 'failed', 'warned', 'suite'],
    last.map(({ at, verdict, judged, applicable, failed, warned, suite }) => [
      html`<span class="fixed">${text(at.slice(0, 16).replace('T', ' '))}</span>`,
      html`<span class="${verdict}">${verdict}</span>`,
      html`${grouped(judged)} of ${grouped(applicable)} (${percentOf(judged, applicable)})`,
      html`${bar(failed, last)} ${grouped(failed)}`,
      grouped(warned),
      text(suite),
    ]),
  )}</details>`
}

/** A bar as long as the share of the worst run. */
function bar(failed: number, runs: readonly HistoryLine[]): Markup | string {
  const worst = Math.max(...runs.map((run) => run.failed))
  return failed === 0
    ? ''
    : html`<span class="bar" style="width:${Math.ceil((failed / worst) * 80)}px" aria-hidden="true"></span>`
}
