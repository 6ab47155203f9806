import type { Suite } from '../../src/suite/check.ts'

/** The suites of the migrations area, in the document's order. */
export const migrationsSuites: readonly Suite[] = []
