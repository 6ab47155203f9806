import type { Suite } from '../suite/check.ts'

/** The options that decide which suites there are. */
export interface SuiteOptions {
  readonly config?: string | undefined
  readonly requirements?: string | undefined
  /** No configuration is looked at: a recording brings its own. */
  readonly builtInOnly?: boolean | undefined
}

/** What the program hands to every command. */
export interface Surroundings {
  /**
   * The suites that the options choose, loaded when a command first asks for them, so that help is instant: the built-in ones
   * and those of the configuration.
   */
  readonly suites: (options?: SuiteOptions) => Promise<readonly Suite[]>
  /** Writes to the standard output. */
  readonly print: (text: string) => void
  /** Writes to the standard error. */
  readonly warn: (text: string) => void
  /** Sets the exit code of the process; 0 unless called. */
  readonly end: (code: number) => void
}
