import type { Suite } from '../suite/check.ts'

/** What the program hands to every command. */
export interface Surroundings {
  /** The suites, loaded when a command first asks for them, so that help is instant. */
  readonly suites: () => Promise<readonly Suite[]>
  /** Writes to the standard output. */
  readonly print: (text: string) => void
  /** Writes to the standard error. */
  readonly warn: (text: string) => void
  /** Sets the exit code of the process; 0 unless called. */
  readonly end: (code: number) => void
}
