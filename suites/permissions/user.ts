import { rowsOf } from '../../src/spec/permissions.ts'
import { type Suite, suite } from '../../src/suite/check.ts'
import { rowChecks } from './row-checks.ts'

/** The rows of the user permissions, in the document's order (section Authentication, Permission matrix). */
export const userPermissions: readonly Suite[] = rowsOf('user').map((row) =>
  suite({ area: 'permissions', endpoint: row.endpoint, checks: rowChecks(row) }),
)
