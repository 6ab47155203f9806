import { outputText } from '../../http/redaction/output-text.ts'
import type { ProgressStream } from '../../report/terminal/progress.ts'
import { type Terminal, terminalOf } from '../../report/terminal/terminal.ts'

/** The standard streams of a process, which write each text as it is. */
export interface Streams extends Partial<Terminal> {
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

/** The streams of the command line. They hide every known secret and escape control characters and commands of pipelines. */
export type Output = ReturnType<typeof outputTo>

/** The only functions that write to the standard streams. Every text passes {@link outputText}. */
export function outputTo({ print, warn, colours = false, terminal = {} }: Streams = standard) {
  return {
    print: (text: string) => print(outputText(text, { colours })),
    warn: (text: string) => warn(outputText(text)),
    // A command of a pipeline, such as an annotation, is one line, so that no text can add another.
    annotate: (command: string) =>
      print(`::${outputText(command.replace(/^::/, '')).replaceAll('\n', ' ')}\n`),
    progress: {
      isTTY: terminal.isTTY ?? false,
      columns: terminal.columns ?? 80,
      write: (text: string) => warn(outputText(text)),
      redraw: (line: string) => warn(`\r\u001b[2K${outputText(line).replaceAll('\n', ' ')}`),
    },
    colours,
  }
}
