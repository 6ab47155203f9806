import type { CheckRecord } from '../../record/check-record.ts'
import { readingsOf } from '../../spec/readings.ts'
import { html, type Markup } from './markup.ts'

/** How the document is read where it leaves open what the check judges; nothing where no reading bears on the check. */
export function readingList({ id: check, requirements }: Pick<CheckRecord, 'id' | 'requirements'>): Markup | string {
  const readings = readingsOf(check, requirements)
  if (readings.length === 0) return ''
  return html`<details class="readings"><summary>How the document is read here</summary><dl>${readings.map(({ id, judged }) => html`<dt>Reading ${id}</dt><dd>${judged}</dd>`)}</dl></details>`
}
