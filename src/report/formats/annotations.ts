import { type RunRecords, reportLanes } from '../../record/report-lanes.ts'
import { printable } from '../../text/format.ts'
import { causeName, causesOf } from '../view/findings.ts'

/** The most annotations of deviations; GitHub drops further ones of a step. */
const shownAtMost = 10

/** Workflow commands that GitHub Actions turns into annotations: first the gate, then failures, then warnings, each cause once. */
export function githubAnnotations(records: RunRecords) {
  const { gate } = records.run
  const deviating = causesOf(reportLanes(records), ['failed', 'warned']).map((cause) => {
    const { endpoint, title, detail, outcome } = cause[0].latest.check
    return command(
      outcome === 'failed' ? 'error' : 'warning',
      causeName(cause),
      `${endpoint} ${title}: ${detail}`,
    )
  })
  return [
    ...gate.missed.map((text) => command('error', 'gate', text)),
    ...gate.warnings.map((text) => command('warning', 'gate', text)),
    ...deviating.slice(0, shownAtMost),
  ]
}

/** A workflow command. Its text can neither end it nor begin another. */
function command(level: 'error' | 'warning', title: string, message: string) {
  const escaped = (text: string) => printable(text.toWellFormed()).replaceAll('%', '%25')
  const property = escaped(title).replaceAll(':', '%3A').replaceAll(',', '%2C')
  return `::${level} title=${property}::${escaped(message)}`
}
