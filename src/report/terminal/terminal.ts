import { styleText } from 'node:util'
import type { Outcome } from '../../record/outcome.ts'
import type { Verdict } from '../../record/version-report.ts'

/** What the reader's terminal can show. */
export interface Terminal {
  /** Its width in characters. */
  readonly columns: number
  readonly colours: boolean
}

/** Where the end of a run is shown, and which formats were written. */
export interface ConclusionView extends Terminal {
  readonly formats: readonly string[]
}

/** A stream that may be a terminal. */
export interface OutputStream {
  readonly isTTY?: boolean
  readonly columns?: number
}

/** The width of output that is redirected: it is read in logs, which scroll. Characters. */
const redirectedColumns = 120

/** What a stream can show: colours on a terminal, unless `NO_COLOR` forbids or `FORCE_COLOR` demands them. */
export function terminalOf({ isTTY = false, columns }: OutputStream, environment: NodeJS.ProcessEnv = process.env): Terminal {
  return { columns: columns ?? (isTTY ? 80 : redirectedColumns), colours: wantsColours(isTTY, environment) }
}

function wantsColours(isTTY: boolean, { NO_COLOR, FORCE_COLOR, TERM }: NodeJS.ProcessEnv): boolean {
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '') return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  return isTTY && TERM !== 'dumb'
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
  quiet: 'gray',
  strong: 'bold',
} as const satisfies Record<Outcome | Verdict | 'thin' | 'quiet' | 'strong', string>

/** Draws text of the suite's own in the style of an outcome or verdict; unchanged where the terminal has no colours. */
export function paint({ colours }: Terminal, style: keyof typeof styles, text: string): string {
  return colours ? styleText(styles[style], text, { validateStream: false }) : text
}
