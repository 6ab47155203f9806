import type { RunRecords } from '../../record/report-lanes.ts'
import { coverageOf, isThin, percentOf } from '../../record/verdict.ts'
import { grouped } from '../../text/format.ts'
import { xml } from '../view/markup.ts'

const label = 'conformance'

/** The text and the colour of a badge. A selection and a provisional verdict are never green. Green requires that at least half of the must-level checks were judged in every lane. */
function badgeOf({ run, reports }: RunRecords) {
  const lanes = [...reports, run.crossVersion]
  const checks = lanes.flatMap((lane) => lane.checks)
  const { judged, applicable } = coverageOf(checks)
  const { selection, provisional } = run
  const failed = checks.filter(({ outcome }) => outcome === 'failed').length
  const verdict = failed > 0 ? `${grouped(failed)} of ${grouped(judged)} failed` : run.verdict
  const share = selection
    ? `${grouped(judged)} of ${grouped(selection.of)} checks`
    : `${percentOf(judged, applicable)} judged`
  const message = `${verdict}${provisional ? ' (provisional)' : ''}, ${share}`
  if (run.verdict === 'deviates') return { message, color: 'red', hex: '#b3261e' }
  if (selection || provisional) return { message, color: 'lightgrey', hex: '#6a6a6a' }
  const isWeak = run.verdict === 'inconclusive' || lanes.some((lane) => isThin(lane.checks))
  return isWeak
    ? { message, color: 'orange', hex: '#8a5a00' }
    : { message, color: 'brightgreen', hex: '#2a7f3f' }
}

/** `badge.json`: the endpoint form that shields-like badge services read. */
export function renderShield(records: RunRecords) {
  const { message, color } = badgeOf(records)
  return { schemaVersion: 1, label, message, color }
}

/** `badge.svg`: a badge that needs no service. */
export function renderBadge(records: RunRecords) {
  const { message, hex } = badgeOf(records)
  const widthOf = (text: string) => text.length * 7 + 12
  const left = widthOf(label)
  const right = widthOf(message)
  const name = xml(`${label}: ${message}`)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${name}"><title>${name}</title>
<rect width="${left}" height="20" fill="#444"/><rect x="${left}" width="${right}" height="20" fill="${hex}"/>
<g fill="#fff" font-family="Verdana,Geneva,sans-serif" font-size="11" text-anchor="middle">
<text x="${left / 2}" y="14">${label}</text><text x="${left + right / 2}" y="14">${xml(message)}</text></g></svg>
`
}
