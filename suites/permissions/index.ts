import type { Suite } from '../../src/suite/check.ts'
import { organizationPermissions } from './organization.ts'
import { repositoryPermissions } from './repository.ts'
import { userPermissions } from './user.ts'

/** The suites of the permission matrix, in the document's order; a row that another area judges has none here. */
export const permissionsSuites: readonly Suite[] = [
  ...organizationPermissions,
  ...repositoryPermissions,
  ...userPermissions,
].filter(({ checks }) => checks.length > 0)
