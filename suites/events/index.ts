import type { Suite } from '../../src/suite/check.ts'
import publicEvents from './public.ts'

/** The suites of the nine event feeds, in the document's order. */
export const eventsSuites: readonly Suite[] = [publicEvents]
