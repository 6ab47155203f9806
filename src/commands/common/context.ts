import type { Suite } from '../../suite/check.ts'
import type { Output } from './streams.ts'

/** The options that choose the suites. */
export interface SuiteOptions {
  readonly config?: string | undefined
  readonly requirements?: string | undefined
  /** No configuration is read, because a recording contains its own. */
  readonly builtInOnly?: boolean | undefined
}

/** The end of a command: its exit code, and a text for the standard output. */
interface CommandResult {
  readonly code: number
  readonly text?: string
}

/** The program around a command. */
export interface CommandContext extends Output {
  /** The built-in suites and those of the configuration. They are loaded at the first call, so that help is instant. */
  readonly suites: (options?: SuiteOptions) => Promise<readonly Suite[]>
  /** Prints the text of a command that ends, and sets the exit code of the process; 0 unless called. */
  readonly end: (result: CommandResult) => void
}
