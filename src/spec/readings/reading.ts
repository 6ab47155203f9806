/**
 * How the suite judges one place where the document is silent, or where two honest implementers may read it differently.
 * Every text is one or more whole sentences. `docs/readings.md` is made from all of them.
 */
export interface Reading {
  /** The chapter's letter and a number, as comments and requirements cite it: `G4`, `B11`. */
  readonly id: string
  /** The section of the document that leaves the question open, in the words of the outline; see `citation.ts`. */
  readonly section: string
  /** What the document leaves open. */
  readonly open: string
  /** What makes a check pass, fail, warn or end as untested there. */
  readonly judged: string
  /** The faults that are found nevertheless; absent where the reading only removes an assertion. */
  readonly caught?: string
  /** The only checks that it bears on, where requirements that cite it have others too; `*` as in a requirement's checks. */
  readonly checks?: readonly string[]
  /** Why no requirement and no code cites it; absent where one does. */
  readonly uncited?: string
}

/** The readings on one subject: one letter, one file. */
export interface Chapter {
  readonly letter: string
  readonly title: string
  readonly readings: readonly Reading[]
}
