import type { Suite } from '../../src/suite/check.ts'

/** The suites of the notifications area, in the document's order. */
export const notificationsSuites: readonly Suite[] = []
