import { counted, cut, grouped, printable } from '../text/format.ts'
import type { CheckRecord } from './check-record.ts'
import { outcomes, phraseOf } from './reason.ts'
import type {
  Coverage,
  GateLimits,
  RunRecord,
  SelectionRecord,
  Totals,
  Verdict,
} from './run-record.ts'

/** Counts the checks of each outcome. */
export function countOutcomes(checks: readonly Pick<CheckRecord, 'outcome'>[]) {
  const totals = Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Totals
  for (const { outcome } of checks) totals[outcome] += 1
  return totals
}

/** The members of a check record that decide a verdict. */
type JudgedCheck = Pick<CheckRecord, 'outcome' | 'level'> &
  Partial<Pick<CheckRecord, 'detail' | 'reason'>>

/** The limits that decide a verdict together with the outcomes. */
export type VerdictLimits = Pick<GateLimits, 'strict'> & Partial<Pick<GateLimits, 'minJudged'>>

/** The verdict over some checks. A deviation precedes inconclusive; a share below `minJudged` is inconclusive. */
export function verdictOf(
  checks: readonly JudgedCheck[],
  { strict, minJudged = 0 }: VerdictLimits,
): Verdict {
  const totals = countOutcomes(checks)
  if (totals.failed > 0 || (strict && totals.warned > 0)) return 'deviates'
  const coverage = coverageOf(checks)
  return totals.errored > 0 || coverage.judged === 0 || isBelow(coverage, minJudged)
    ? 'inconclusive'
    : 'conforms'
}

/** The verdict over some checks, with their number by outcome and their coverage. */
export function summaryOf(checks: readonly CheckRecord[], limits: VerdictLimits) {
  return {
    verdict: verdictOf(checks, limits),
    totals: countOutcomes(checks),
    coverage: coverageOf(checks),
  }
}

/** The verdict over several versions: the worst of them. */
export function worstVerdict(verdicts: readonly Verdict[]) {
  const order: Verdict[] = ['deviates', 'inconclusive', 'conforms']
  return order.find((verdict) => verdicts.includes(verdict)) ?? 'inconclusive'
}

/** The gate's limits that a version misses, as sentences. */
export function missedLimits(
  { untested }: Totals,
  { maxUntested = untested }: { maxUntested?: number },
) {
  return untested > maxUntested
    ? [`${untested} checks are untested, but gate.maxUntested allows only ${maxUntested}`]
    : []
}

/** Sentences about an inconclusive verdict; empty for a conclusive one. */
export function openReasons(checks: readonly JudgedCheck[], { minJudged = 0 }: VerdictLimits) {
  const { judged, judgedMust, applicable, applicableMust } = coverageOf(checks)
  if (applicable === 0) return []
  const errored = checks.filter(({ outcome }) => outcome === 'errored')
  const begun = errored.filter(isBegun)
  const reasons =
    begun.length > 0 ? [`${counted(begun.length, 'check')} errored${commonDetail(begun)}`] : []
  if (errored.length > begun.length)
    reasons.push(`${counted(errored.length - begun.length, 'check')} not begun`)
  if (reasons.length > 0) return reasons
  if (isBelow({ judgedMust, applicableMust }, minJudged)) {
    const share = `${grouped(judgedMust)} of ${grouped(applicableMust)} applicable must checks judged`
    const throttled = checks.filter(({ reason }) => reason?.code === 'throttled').length
    const why =
      throttled === 0
        ? ''
        : `; the target throttles the caller, which leaves ${counted(throttled, 'check')} untested`
    return [`${share}; gate.minJudged requires ${minJudged} %${why}`]
  }
  return judged === 0 ? ['no check was judged'] : []
}

/** False for a check that an interrupted run did not begin: its outcome is not an error of the target or the suite. */
export function isBegun({ outcome, reason }: Pick<JudgedCheck, 'outcome' | 'reason'>) {
  return outcome === 'inapplicable' || reason?.code !== 'not-begun'
}

/** The number of checks with each outcome, in words, without zeros. The last one is that of the checks which were not begun. */
export function tallyOf(checks: readonly Pick<JudgedCheck, 'outcome' | 'reason'>[]) {
  const begun = checks.filter(isBegun)
  const totals = countOutcomes(begun)
  const tallies = outcomes.map((outcome) => ({
    outcome,
    words: outcome as string,
    count: totals[outcome],
  }))
  const notBegun = {
    outcome: 'untested' as const,
    words: 'not begun',
    count: checks.length - begun.length,
  }
  return [...tallies, notBegun].filter(({ count }) => count > 0)
}

/** The longest common reason that is repeated. Characters. */
const longestReason = 400

function commonDetail(checks: readonly JudgedCheck[]) {
  const texts = [
    checks.map(({ detail }) => detail),
    checks.map(({ reason }) => reason && phraseOf(reason)),
  ]
  const [text] = texts.map((all) => [...new Set(all)]).find(({ length }) => length === 1) ?? []
  return text ? `: ${cut(printable(text), longestReason)}` : ''
}

/** The worst verdict of the lanes of a run: its versions and their comparison. Lanes without an applicable check are ignored. */
export function verdictOfLanes(
  lanes: readonly { checks: readonly JudgedCheck[] }[],
  limits: VerdictLimits,
): Verdict {
  const applicable = lanes.filter(({ checks }) =>
    checks.some(({ outcome }) => outcome !== 'inapplicable'),
  )
  return worstVerdict(applicable.map(({ checks }) => verdictOf(checks, limits)))
}

/** The exit code of `run`. The gate decides: 0 passed, 1 failed, 3 inconclusive. An interrupted run has 130. */
export function exitCode({ gate, interrupted }: Pick<RunRecord, 'gate' | 'interrupted'>) {
  if (interrupted) return 130
  return { passed: 0, failed: 1, inconclusive: 3 }[gate.result]
}

const judgedOutcomes = new Set(['passed', 'failed', 'warned', 'waived'])

/** The coverage of a list of checks: those with a verdict, among all except the inapplicable ones. */
export function coverageOf(checks: readonly Pick<CheckRecord, 'outcome' | 'level'>[]) {
  const applicable = checks.filter(({ outcome }) => outcome !== 'inapplicable')
  const judged = applicable.filter(({ outcome }) => judgedOutcomes.has(outcome))
  const must = (of: typeof judged) => of.filter(({ level }) => level === 'must').length
  return {
    judged: judged.length,
    applicable: applicable.length,
    judgedMust: must(judged),
    applicableMust: must(applicable),
  }
}

/** `34 of 1,629 applicable checks judged (2 %)`. A selection has no share, because all of it is no evidence for the rest. */
export function coverageText({ judged, applicable }: Coverage, selection?: SelectionRecord) {
  if (selection) return `${grouped(judged)} of ${grouped(applicable)} selected checks judged`
  return `${grouped(judged)} of ${grouped(applicable)} applicable checks judged (${percentOf(judged, applicable)})`
}

/** The limits of a verdict that its text names. */
interface VerdictScope {
  readonly selection?: SelectionRecord | undefined
  readonly provisional?: true | undefined
}

/** `deviates (provisional) on a selection`. */
export function verdictName(verdict: Verdict, { selection, provisional }: VerdictScope) {
  return `${verdict}${provisional ? ' (provisional)' : ''}${selection ? ' on a selection' : ''}`
}

/** `conforms, 34 of 1,629 applicable checks judged (2 %)`: every report prints a verdict with its coverage. */
export function verdictText(verdict: Verdict, coverage: Coverage, scope: VerdictScope) {
  return `${verdictName(verdict, scope)}, ${coverageText(coverage, scope.selection)}`
}

/** The verdict of a run. If it judged a part of the suite: `conforms on a selection: 2 of 4,219 checks`. */
export function runVerdictText(verdict: Verdict, coverage: Coverage, scope: VerdictScope) {
  const { selection } = scope
  if (!selection) return verdictText(verdict, coverage, scope)
  const left = coverage.applicable - coverage.judged
  const more = left > 0 ? `, ${grouped(left)} selected checks not judged` : ''
  return `${verdictName(verdict, scope)}: ${grouped(coverage.judged)} of ${grouped(selection.of)} checks${more}`
}

/** The result of the gate, and the reason if it is not that of the verdict: `passed: 2 deviations are outside gate.mustConform, …`. */
export function gateText({ gate, verdict }: Pick<RunRecord, 'gate' | 'verdict'>) {
  const usual = { conforms: 'passed', deviates: 'failed', inconclusive: 'inconclusive' }[verdict]
  const [reason] = { failed: gate.missed, inconclusive: gate.open, passed: gate.warnings }[
    gate.result
  ]
  return gate.result === usual || reason === undefined ? gate.result : `${gate.result}: ${reason}`
}

/** `2 of 4,219 checks, selected by --only events.public.status`. */
export function selectionText({ by, selected, of }: SelectionRecord) {
  return `${grouped(selected)} of ${grouped(of)} checks, selected by ${by.join(', ')}`
}

/** A share in whole percent, rounded down, so that only a complete share is 100 %. */
export function percentOf(part: number, whole: number) {
  if (part > 0 && part * 100 < whole) return 'under 1 %'
  return `${whole === 0 ? 0 : Math.floor((part / whole) * 100)} %`
}

/** True if fewer of the applicable must checks were judged than `percent` of them. */
function isBelow(
  { judgedMust, applicableMust }: Pick<Coverage, 'judgedMust' | 'applicableMust'>,
  percent: number,
) {
  return judgedMust * 100 < applicableMust * percent
}

/** True if less than half of the applicable must checks were judged, so that `conforms` proves little. */
export function isThin(checks: Parameters<typeof coverageOf>[0]) {
  return isBelow(coverageOf(checks), 50)
}
