import { deviating, type RunRecords, reportParts } from '../../record/report-parts.ts'
import { printable } from '../../text/show.ts'

/** Annotations that a job shows at most; GitHub drops the rest of a step's. */
const shownAtMost = 10

/** Workflow commands that GitHub Actions turns into annotations: failures first, then warnings, then what the gate says. */
export function githubAnnotations(records: RunRecords): string[] {
  const { run } = records
  const found = reportParts(records).flatMap(({ name, report }) =>
    deviating(report.checks)
      .filter(({ outcome }) => outcome !== 'waived')
      .map((check) => ({ name, check })),
  )
  const ranked = [
    ...found.filter(({ check }) => check.outcome === 'failed'),
    ...found.filter(({ check }) => check.outcome === 'warned'),
  ]
  return [
    ...run.gate.missed.map((text) => command('error', 'gate', text)),
    ...run.gate.warnings.map((text) => command('warning', 'gate', text)),
    ...ranked
      .slice(0, shownAtMost)
      .map(({ name, check }) =>
        command(
          check.outcome === 'failed' ? 'error' : 'warning',
          `${check.id} (${name})`,
          `${check.endpoint} ${check.title}: ${check.detail}`,
        ),
      ),
  ]
}

/** A workflow command; nothing in its text can end it or begin another. */
function command(level: 'error' | 'warning', title: string, message: string): string {
  const escaped = (text: string) =>
    printable(text.toWellFormed()).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  const property = escaped(title).replaceAll(':', '%3A').replaceAll(',', '%2C')
  return `::${level} title=${property}::${escaped(message)}`
}
