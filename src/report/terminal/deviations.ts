import type { ReportPart } from '../../record/report-parts.ts'
import { groupBy } from '../../text/group.ts'
import { failureBlock } from '../view/failure-block.ts'
import { paint, type Terminal } from './terminal.ts'

/** Deviations that the terminal shows with their evidence; the others are one line each. */
const blocksAtMost = 8
const linesAtMost = 40

/** What failed and what is warned of, each once with the versions that it occurs in. */
export function deviationLines(lanes: readonly ReportPart[], view: Terminal): string[] {
  const found = (['failed', 'warned'] as const).flatMap((outcome) =>
    lanes.flatMap(({ name, report }) =>
      report.checks.filter((check) => check.outcome === outcome).map((check) => ({ name, check, report })),
    ),
  )
  // A deviation that differs between the versions is shown for each of them; another identifier is no difference.
  const expected = ({ check }: (typeof found)[number]) => (check.deviation?.expected ?? check.detail).replaceAll(/\d+/g, '#')
  const each = [...groupBy(found, (one) => `${one.check.outcome} ${one.check.id} ${expected(one)}`).values()]
  const heads = each.map((same) => headOf(same, view))
  const blocks = each.slice(0, blocksAtMost).flatMap((same, index) => {
    const [first] = same
    return first ? ['', heads[index] ?? '', ...failureBlock(first.check, first.report).slice(1)] : []
  })
  const rest = heads.slice(blocksAtMost, linesAtMost)
  const left = heads.length - linesAtMost
  return [...blocks, ...(rest.length > 0 ? ['', ...rest] : []), ...(left > 0 ? [`and ${left} more deviations`] : [])]
}

function headOf(same: readonly { name: string; check: ReportPart['report']['checks'][number] }[], view: Terminal): string {
  const [first] = same
  if (!first) return ''
  const { outcome, id } = first.check
  const mark = outcome === 'failed' ? paint(view, 'failed', 'FAILED') : paint(view, 'warned', 'WARNED')
  return `${mark} ${paint(view, 'strong', id)} (${same.map(({ name }) => name).join(', ')})`
}
