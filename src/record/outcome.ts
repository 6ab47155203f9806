/** What a check can come to, in the order in which reports list it. */
export const outcomes = ['passed', 'failed', 'warned', 'waived', 'untested', 'inapplicable', 'errored'] as const

export type Outcome = (typeof outcomes)[number]
