import type { RunRecords } from '../../record/records.ts'
import type { Verdict } from '../../record/report.ts'
import { xml } from './xml.ts'

const label = 'conformance'

const colours: Readonly<Record<Verdict, { name: string; hex: string }>> = {
  conforms: { name: 'brightgreen', hex: '#2a7f3f' },
  deviates: { name: 'red', hex: '#b3261e' },
  inconclusive: { name: 'lightgrey', hex: '#5f6368' },
}

/** The text of a badge: `conforms`, or what each version came to. */
function messageOf({ run }: RunRecords): string {
  const { failed, total } = run.versions.reduce(
    (sum, { totals }) => ({
      failed: sum.failed + totals.failed,
      total: sum.total + totals.passed + totals.failed + totals.warned + totals.waived,
    }),
    { failed: 0, total: 0 },
  )
  if (run.verdict === 'inconclusive') return 'inconclusive'
  return run.verdict === 'deviates'
    ? `${failed} of ${total} failed`
    : `${run.versions.map(({ apiVersion }) => apiVersion).join(' + ')} ✓`
}

/** `badge.json`: the endpoint form that shields-like badge services read. */
export function renderShield(records: RunRecords) {
  return { schemaVersion: 1, label, message: messageOf(records), color: colours[records.run.verdict].name }
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
    `<rect x="${left}" width="${right}" height="20" fill="${colours[records.run.verdict].hex}"/>`,
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
