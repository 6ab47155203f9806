import { grouped } from '../../record/coverage.ts'
import type { ReportPart } from '../../record/report-parts.ts'
import type { RunRecord } from '../../record/run-record.ts'
import { counted } from '../../text/counted.ts'
import { printable } from '../../text/show.ts'
import { type LackedNeed, lackedNeeds } from '../view/lacked-needs.ts'
import { targetArguments } from '../view/subject.ts'
import { paint, type Terminal } from './terminal.ts'

/** Needs that the terminal names; `doctor` names them all. */
const namedAtMost = 5

/** The needs that left most checks untested, and the command that says how to give them. */
export function untestedLines(run: RunRecord, lanes: readonly ReportPart[], view: Terminal): string[] {
  const untested = lanes.flatMap(({ report }) => report.checks.filter(({ outcome }) => outcome === 'untested'))
  if (untested.length === 0) return []
  const ranked = lackedNeeds(lanes)
  const width = grouped(ranked[0]?.checks.length ?? 0).length
  const line = ({ what, checks }: LackedNeed) => `  ${grouped(checks.length).padStart(width)}  ${what}`
  const left = ranked.length - namedAtMost
  return [
    '',
    `${paint(view, 'untested', 'UNTESTED')} ${grouped(untested.length)} ${untested.length === 1 ? 'check' : 'checks'}:`,
    ...ranked.slice(0, namedAtMost).map(line),
    ...(ranked.every(({ leftOut }) => leftOut)
      ? []
      : [
          `next step: service-conformance doctor${printable(targetArguments(run))}${left > 0 ? `, which also names ${counted(left, 'other missing need')}` : ''}`,
        ]),
  ]
}
