import { type OutputAbilities, outputText } from '../../http/redaction/output-text.ts'
import type { ProgressStream } from '../../report/terminal/progress.ts'
import { terminalOf } from '../../report/terminal/terminal.ts'
import type { Output } from './context.ts'

/** The standard streams of a process, which write each text as it is. */
export interface Streams extends OutputAbilities {
  readonly print: (text: string) => void
  readonly warn: (text: string) => void
  /** The terminal of the standard error. */
  readonly terminal?: Pick<ProgressStream, 'isTTY' | 'columns'>
}

const standard: Streams = {
  print: (text) => void process.stdout.write(text),
  warn: (text) => void process.stderr.write(text),
  ...terminalOf(process.stdout),
  terminal: process.stderr,
}

/** The only way of a text to the standard streams: every text passes {@link outputText}. */
export function outputTo({ print, warn, colours = false, terminal = {} }: Streams = standard): Output {
  return {
    print: (text) => print(outputText(text, { colours })),
    warn: (text) => warn(outputText(text)),
    // One line is one command, so that no text can add another.
    annotate: (command) => print(`::${outputText(command.replace(/^::/, '')).replaceAll('\n', ' ')}\n`),
    progress: {
      isTTY: terminal.isTTY ?? false,
      columns: terminal.columns ?? 80,
      write: (text) => warn(outputText(text)),
      redraw: (line) => warn(`\r\u001b[2K${outputText(line).replaceAll('\n', ' ')}`),
    },
    colours,
  }
}
