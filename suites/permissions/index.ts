import { endpoints } from '../../src/spec/endpoints.ts'
import type { OwnerKind } from '../../src/spec/needs.ts'
import { type PermissionRow, permissionRows } from '../../src/spec/permissions/permissions.ts'
import { type Suite, suite } from '../../src/suite/check.ts'
import { rowChecks } from './row-checks.ts'

const owners: readonly OwnerKind[] = ['organization', 'repository', 'user']

/** The suites of the permission matrix, one for each row, in the document's order. A row that another area judges has none. */
export const permissionsSuites: readonly Suite[] = owners
  .flatMap((owner) => permissionRows.filter(({ category }) => category.owner === owner))
  .map((row) =>
    suite({
      area: 'permissions',
      endpoint: endpointOf(row),
      checks: rowChecks(row, endpointOf(row)),
    }),
  )
  .filter(({ checks }) => checks.length > 0)

/** The endpoint as its own table describes it, if the document has one. */
function endpointOf({ method, path, endpoint }: PermissionRow) {
  return (
    Object.values(endpoints).find((other) => other.method === method && other.path === path) ??
    endpoint
  )
}
