import type { JsonFragment } from '../../record/check-record.ts'
import { printable } from '../../text/format.ts'

/** A line of a fragment. */
export interface FragmentLine {
  readonly text: string
  /** The deviation's pointer names it. */
  readonly marked: boolean
}

/** The lines of a fragment, each printable, with those that the deviation's pointer names. */
export function linesOf({ json, lines: [first, last] }: JsonFragment): FragmentLine[] {
  return json.split('\n').map((text, index) => ({ text: printable(text), marked: index + 1 >= first && index + 1 <= last }))
}

/** At most `height` lines around the marked place as plain text, the place marked with `>`. */
export function fragmentLines(fragment: JsonFragment, height: number): string[] {
  const all = linesOf(fragment)
  const place = Math.max(
    0,
    all.findIndex(({ marked }) => marked),
  )
  const from = Math.max(0, Math.min(place - 3, all.length - height))
  const shown = all.slice(from, from + height).map(({ text, marked }) => `${marked ? '>' : ' '} ${text}`)
  return [...(from > 0 ? ['  …'] : []), ...shown, ...(from + height < all.length ? ['  …'] : [])]
}
