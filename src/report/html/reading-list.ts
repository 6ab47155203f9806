import { readingsOf } from '../../spec/readings/index.ts'
import { html, type Markup } from './markup.ts'

/** How the document is read where these requirements leave something open; nothing where no reading bears on them. */
export function readingList(requirementIds: readonly string[]): Markup | string {
  const readings = readingsOf(requirementIds)
  if (readings.length === 0) return ''
  return html`<details class="readings"><summary>How the document is read here</summary><dl>${readings.map(({ id, judged }) => html`<dt>Reading ${id}</dt><dd>${judged}</dd>`)}</dl></details>`
}
