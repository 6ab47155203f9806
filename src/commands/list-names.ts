/** What `list` shows. */
export const listNames = ['checks', 'requirements', 'needs', 'faults', 'variants'] as const
export type ListName = (typeof listNames)[number]
