import type { ProgressStream } from '../../report/terminal/progress.ts'
import type { Terminal } from '../../report/terminal/terminal.ts'
import type { Suite } from '../../suite/check.ts'

/** The options that choose the suites. */
export interface SuiteOptions {
  readonly config?: string | undefined
  readonly requirements?: string | undefined
  /** No configuration is read, because a recording contains its own. */
  readonly builtInOnly?: boolean | undefined
}

/** The end of a command: its exit code, and a text for the standard output. */
export interface CommandResult {
  readonly code: number
  readonly text?: string
}

/** The streams of the command line. They hide every known secret and escape control characters and commands of pipelines. */
export interface Output extends Terminal {
  /** Writes to the standard output. */
  readonly print: (text: string) => void
  /** Writes to the standard error. */
  readonly warn: (text: string) => void
  /** Writes one command of a pipeline, such as an annotation, to the standard output. */
  readonly annotate: (command: string) => void
  /** Writes the progress to the standard error. */
  readonly progress: ProgressStream
}

/** The program around a command. */
export interface CommandContext extends Output {
  /** The built-in suites and those of the configuration. They are loaded at the first call, so that help is instant. */
  readonly suites: (options?: SuiteOptions) => Promise<readonly Suite[]>
  /** Prints the text of a command that ends, and sets the exit code of the process; 0 unless called. */
  readonly end: (result: CommandResult) => void
}
