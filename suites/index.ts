import type { Suite } from '../src/suite/check.ts'
import { eventsSuites } from './events/index.ts'
import { migrationsSuites } from './migrations/index.ts'
import { notificationsSuites } from './notifications/index.ts'
import { permissionsSuites } from './permissions/index.ts'
import { versioningSuites } from './versioning/index.ts'

/** Every suite, in the document's order. */
export const suites: readonly Suite[] = [
  ...eventsSuites,
  ...notificationsSuites,
  ...migrationsSuites,
  ...permissionsSuites,
  ...versioningSuites,
]
