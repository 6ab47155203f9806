import { grouped } from '../text/format.ts'
import type { CheckRecord } from './check-record.ts'
import type { Coverage, SelectionRecord, Verdict } from './run-record.ts'

const judgedOutcomes = new Set(['passed', 'failed', 'warned', 'waived'])

/** The coverage of a list of checks: those with a verdict, among all except the inapplicable ones. */
export function coverageOf(checks: readonly Pick<CheckRecord, 'outcome' | 'level'>[]): Coverage {
  const applicable = checks.filter(({ outcome }) => outcome !== 'inapplicable')
  const judged = applicable.filter(({ outcome }) => judgedOutcomes.has(outcome))
  const must = (of: typeof judged) => of.filter(({ level }) => level === 'must').length
  return { judged: judged.length, applicable: applicable.length, judgedMust: must(judged), applicableMust: must(applicable) }
}

/** `34 of 1,629 applicable checks judged (2 %)`. A selection has no share, because all of it is no evidence for the rest. */
export function coverageText({ judged, applicable }: Coverage, selection?: SelectionRecord): string {
  if (selection) return `${grouped(judged)} of ${grouped(applicable)} selected checks judged`
  return `${grouped(judged)} of ${grouped(applicable)} applicable checks judged (${percentOf(judged, applicable)})`
}

/** `conforms, 34 of 1,629 applicable checks judged (2 %)`: every report prints a verdict with its coverage. */
export function verdictText(verdict: Verdict, coverage: Coverage, selection?: SelectionRecord): string {
  return `${verdict}${selection ? ' on a selection' : ''}, ${coverageText(coverage, selection)}`
}

/** The verdict of a run. If it judged a part of the suite: `conforms on a selection: 2 of 4,219 checks`. */
export function runVerdictText(verdict: Verdict, coverage: Coverage, selection?: SelectionRecord): string {
  if (!selection) return verdictText(verdict, coverage)
  const left = coverage.applicable - coverage.judged
  const more = left > 0 ? `, ${grouped(left)} selected checks not judged` : ''
  return `${verdict} on a selection: ${grouped(coverage.judged)} of ${grouped(selection.of)} checks${more}`
}

/** `2 of 4,219 checks, selected by --only events.public.status`. */
export function selectionText({ by, selected, of }: SelectionRecord): string {
  return `${grouped(selected)} of ${grouped(of)} checks, selected by ${by.join(', ')}`
}

/** A share in whole percent, rounded down, so that only a complete share is 100 %. */
export function percentOf(part: number, whole: number): string {
  if (part > 0 && part * 100 < whole) return 'under 1 %'
  return `${whole === 0 ? 0 : Math.floor((part / whole) * 100)} %`
}

/** True if fewer of the applicable must checks were judged than `percent` of them. */
export function isBelow({ judgedMust, applicableMust }: Pick<Coverage, 'judgedMust' | 'applicableMust'>, percent: number) {
  return judgedMust * 100 < applicableMust * percent
}

/** True if less than half of the applicable must checks were judged, so that `conforms` proves little. */
export function isThin(checks: Parameters<typeof coverageOf>[0]): boolean {
  return isBelow(coverageOf(checks), 50)
}
