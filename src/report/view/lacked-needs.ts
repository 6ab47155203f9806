import type { CheckRecord } from '../../record/check-record.ts'
import type { ReportPart } from '../../record/report-parts.ts'
import { lack } from '../../run/needs/need-catalogue.ts'
import { nothingToExamine } from '../../suite/untested.ts'
import { groupBy } from '../../text/group.ts'

/** What untested checks lack, and those that do. */
export interface LackedNeed {
  /** The name of the need; empty where it is none that checks lack. */
  readonly need: string
  /** `miss organization`. */
  readonly what: string
  /** True where nothing that is given would help: the run was told to leave them out. */
  readonly leftOut: boolean
  readonly checks: readonly CheckRecord[]
}

/** Everything that untested checks lack, what most of them lack first. A check counts with each need that it lacks, as in `doctor`. */
export function lackedNeeds(lanes: readonly ReportPart[]): LackedNeed[] {
  const untested = lanes.flatMap(({ report }) => report.checks.filter(({ outcome }) => outcome === 'untested'))
  const lacks = untested.flatMap((check) =>
    (check.missing.length === 0 ? [''] : check.missing).map((need) => ({ need, what: lackOf(need, check.detail), check })),
  )
  return [...groupBy(lacks, ({ what }) => what)]
    .map(([what, found]) => ({
      need: found[0]?.need ?? '',
      what,
      leftOut: what.startsWith(leftOut),
      checks: found.map(({ check }) => check),
    }))
    .sort((a, b) => b.checks.length - a.checks.length)
}

const leftOut = 'were left out: '

/** The details of checks that an option or a limit of the run left out. */
const limits = /\((limits\.\w+|--max-requests)\)$|^--read-only /

/** The detail of a check whose requests a replay does not find. */
const unrecorded = /^the recording does not contain /

/** What an untested check lacks: a need, or what its detail says where it lacks none. */
export function lackOf(need: string, detail: string): string {
  if (need !== '') return lack(need, detail)
  if (limits.test(detail)) return leftOut + detail
  if (unrecorded.test(detail)) return `${leftOut}the recording does not contain what they send`
  return detail === nothingToExamine
    ? 'found nothing to examine on the target'
    : 'could not be judged by what the target answered'
}
