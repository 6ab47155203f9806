import type { Suite } from '../../src/suite/check.ts'

/** The suites of the permissions area, in the document's order. */
export const permissionsSuites: readonly Suite[] = []
