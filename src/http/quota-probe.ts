/** How a target's quota is read: `target.rateLimit` of the configuration. */
export interface QuotaProbe {
  readonly path: string
  /** JSON pointer to the number. */
  readonly pointer: string
  readonly counts: 'down' | 'up'
}

/** The quota that a probe costs on each side of a poll, and what a probe and the poll cost together. */
export interface QuotaCost {
  readonly alone: readonly number[]
  readonly around: number
}

/** A value that depends on who comes first: made by `make`, or that of a recorded run; undefined where that made none. */
export type Draw = (what: string, specifics: unknown, make: () => unknown) => unknown
