import { coverageOf, grouped, isThin, percentOf, sumCoverage } from '../../record/coverage.ts'
import type { RunRecords } from '../../record/report-parts.ts'
import { xml } from './xml.ts'

const label = 'conformance'

const green = { name: 'brightgreen', hex: '#2a7f3f' }
const amber = { name: 'orange', hex: '#8a5a00' }
const red = { name: 'red', hex: '#b3261e' }

/** Green only where the verdict rests on at least half of the must-level checks of each version, and of those across versions. */
function colourOf({ run, reports }: RunRecords): { readonly name: string; readonly hex: string } {
  if (run.verdict === 'deviates') return red
  return run.verdict === 'inconclusive' || [...reports, run.crossVersion].some(({ checks }) => isThin(checks)) ? amber : green
}

/** The text of a badge: what the run came to, and what share of the applicable checks it judged. */
function messageOf({ run, reports }: RunRecords): string {
  const lists = [...reports, run.crossVersion].map(({ checks }) => checks)
  const { judged, applicable } = sumCoverage(lists.map(coverageOf))
  const coverage = `${percentOf(judged, applicable)} judged`
  if (run.verdict !== 'deviates') return `${run.verdict}, ${coverage}`
  const failed = lists.flat().filter(({ outcome }) => outcome === 'failed').length
  return failed === 0 ? `deviates, ${coverage}` : `${grouped(failed)} of ${grouped(judged)} failed, ${coverage}`
}

/** `badge.json`: the endpoint form that shields-like badge services read. */
export function renderShield(records: RunRecords) {
  return { schemaVersion: 1, label, message: messageOf(records), color: colourOf(records).name }
}

/** `badge.svg`: a badge that needs no service. */
export function renderBadge(records: RunRecords): string {
  const message = messageOf(records)
  const left = widthOf(label)
  const right = widthOf(message)
  const text = (content: string, x: number) => `<text x="${x}" y="14" text-anchor="middle">${xml(content)}</text>`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${xml(`${label}: ${message}`)}">`,
    `<title>${xml(`${label}: ${message}`)}</title>`,
    `<rect width="${left}" height="20" fill="#444"/>`,
    `<rect x="${left}" width="${right}" height="20" fill="${colourOf(records).hex}"/>`,
    '<g fill="#fff" font-family="Verdana,Geneva,sans-serif" font-size="11">',
    text(label, left / 2),
    text(message, left + right / 2),
    '</g></svg>',
    '',
  ].join('\n')
}

/** A generous width of text at 11 pixels. */
function widthOf(text: string): number {
  return Math.round([...text].length * 7) + 12
}
