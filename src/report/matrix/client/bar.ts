import type { Outcome } from '../../../record/reason.ts'
import type { Totals } from '../../../record/run-record.ts'
import { grouped } from '../../../text/format.ts'
import { type Child, h, tallies, urgentFirst } from '../../html/client/dom.ts'

/** The outcomes as a bar above their numbers. `linkOf` leads from a part of the bar to a claim. */
export function bar(
  { inapplicable: _, ...totals }: Totals,
  linkOf: (outcome: Outcome) => string | undefined = () => undefined,
): Child[] {
  const present = urgentFirst.flatMap((outcome) =>
    outcome !== 'inapplicable' && totals[outcome] > 0 ? [{ outcome, count: totals[outcome] }] : [],
  )
  if (present.length === 0) return [h('span', { class: 'quiet' }, '–')]
  const parts = present.map(({ outcome, count }) => {
    const href = linkOf(outcome)
    const words = { class: outcome, title: `${grouped(count)} ${outcome}` }
    const part = href === undefined ? h('span', words) : h('a', { ...words, href })
    part.style.flexGrow = String(count)
    return part
  })
  return [h('div', { class: 'bar' }, ...parts), h('div', { class: 'tally' }, ...tallies(totals))]
}
