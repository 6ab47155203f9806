import { rowsOf } from '../../src/spec/permissions.ts'
import { type Suite, suite } from '../../src/suite/check.ts'
import { rowChecks } from './row-checks.ts'

/** The rows of the organization permissions, in the document's order (section Authentication, Permission matrix). */
export const organizationPermissions: readonly Suite[] = rowsOf('organization').map((row) =>
  suite({ area: 'permissions', endpoint: row.endpoint, checks: rowChecks(row) }),
)
