import type { Suite } from '../src/suite/check.ts'
import publicEvents from './events/public.ts'

/** Every suite, in the document's order. */
export const suites: readonly Suite[] = [publicEvents]
