import type { Suite } from '../../src/suite/check.ts'

/** The suites of the versioning area, in the document's order. */
export const versioningSuites: readonly Suite[] = []
