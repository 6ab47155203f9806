import { styleText } from 'node:util'
import type { Outcome } from '../../record/reason.ts'
import type { Verdict } from '../../record/run-record.ts'

/** The abilities of a terminal. */
export interface Terminal {
  readonly colours: boolean
}

/** The abilities of a stream. `NO_COLOR` and `FORCE_COLOR` precede the terminal's own ones. */
export function terminalOf(
  { isTTY = false }: { readonly isTTY?: boolean },
  environment = process.env,
) {
  const { NO_COLOR, FORCE_COLOR, TERM } = environment
  if (NO_COLOR) return { colours: false }
  if (FORCE_COLOR) return { colours: FORCE_COLOR !== '0' && FORCE_COLOR !== 'false' }
  return { colours: isTTY && TERM !== 'dumb' }
}

const styles = {
  passed: 'green',
  failed: 'red',
  warned: 'yellow',
  waived: 'magenta',
  untested: 'cyan',
  inapplicable: 'gray',
  errored: 'red',
  conforms: 'green',
  deviates: 'red',
  inconclusive: 'yellow',
  thin: 'yellow',
  selected: 'gray',
  quiet: 'gray',
  strong: 'bold',
} as const satisfies Record<Outcome | Verdict | 'thin' | 'selected' | 'quiet' | 'strong', string>

/** A text in the style of an outcome or verdict; unchanged if the terminal has no colours. */
export function paint({ colours }: Terminal, style: keyof typeof styles, text: string) {
  return colours ? styleText(styles[style], text, { validateStream: false }) : text
}
