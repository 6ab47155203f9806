/** The outcomes of a check, in the order in which reports list them. */
export const outcomes = ['passed', 'failed', 'warned', 'waived', 'untested', 'inapplicable', 'errored'] as const

export type Outcome = (typeof outcomes)[number]
