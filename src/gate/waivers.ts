import type { Outcome } from '../record/reason.ts'
import type { Report, Waiver, WaiverRecord } from '../record/run-record.ts'
import { didYouMean, UsageError } from '../text/errors.ts'

/** How long before its end a waiver is announced: 14 days. Milliseconds. */
const notice = 14 * 86_400_000

/** Throws {@link UsageError} for a waiver whose check does not exist. */
export function checkWaivers(waivers: readonly Waiver[], known: readonly string[]) {
  for (const waiver of waivers) {
    if (known.includes(waiver.check)) continue
    throw new UsageError(
      `${placeOf(waiver)}: there is no check "${waiver.check}"${didYouMean(waiver.check, known)}; "npx service-conformance list checks" shows them all`,
    )
  }
}

/** Each waiver with its state in the versions that were judged. */
export function assessWaivers(
  waivers: readonly Waiver[],
  reports: readonly Report[],
  today: string,
): WaiverRecord[] {
  return waivers.map((waiver) => ({
    ...waiver,
    state: waiverState(waiver, outcomesOf(waiver, reports), today),
  }))
}

function waiverState(
  waiver: Waiver,
  outcomes: readonly Outcome[],
  today: string,
): WaiverRecord['state'] {
  if (outcomes.length === 0) return 'unused'
  if (
    outcomes.includes('passed') &&
    outcomes.every((outcome) => outcome === 'passed' || outcome === 'inapplicable')
  )
    return 'stale'
  if (today > waiver.expires) return 'expired'
  return Date.parse(waiver.expires) - Date.parse(today) <= notice ? 'expiring' : 'active'
}

function outcomesOf(waiver: Waiver, reports: readonly Report[]) {
  return reports
    .filter(({ apiVersion }) => waiver.versions?.includes(apiVersion) ?? true)
    .flatMap(({ checks }) =>
      checks.filter(({ id }) => id === waiver.check).map(({ outcome }) => outcome),
    )
}

/** Sentences about waivers that fail the gate. */
export function waiverFaults(waivers: readonly WaiverRecord[]) {
  return waivers.flatMap((waiver) => {
    if (waiver.state === 'expired')
      return [`${placeOf(waiver)}: the waiver of ${waiver.check} expired on ${waiver.expires}`]
    if (waiver.state !== 'stale') return []
    return [
      `${placeOf(waiver)}: the waiver of ${waiver.check} is stale: the check passes; remove the entry`,
    ]
  })
}

/** Sentences about waivers that do not fail the gate yet. */
export function waiverNotices(waivers: readonly WaiverRecord[], reports: readonly Report[]) {
  return waivers.flatMap((waiver) => {
    if (waiver.state === 'expiring')
      return [`${placeOf(waiver)}: the waiver of ${waiver.check} expires on ${waiver.expires}`]
    const passing = reports.flatMap((report) =>
      outcomesOf(waiver, [report]).includes('passed') ? report.apiVersion : [],
    )
    if (waiver.state !== 'active' || passing.length === 0) return []
    return [
      `${placeOf(waiver)}: the check ${waiver.check} passes under ${passing.join(', ')}; narrow the waiver by "versions"`,
    ]
  })
}

const placeOf = (waiver: Waiver) => waiver.at ?? 'waivers'
