import { type Method, pathParameters } from '../spec/endpoints.ts'
import { type PermissionRow, permissionRows } from '../spec/permissions.ts'

/** A row of the permission matrix as an operation's extension states it. */
interface Permission {
  readonly owner: string
  readonly category: string
  readonly access: string
  readonly tokens: readonly string[]
}

/** The permissions of one operation, under `x-permissions`; empty if the matrix has no row for it (document: Authentication, Permission matrix (app tokens)). */
export function permissionsOf(method: Method, path: string): { readonly 'x-permissions'?: readonly Permission[] } {
  const rows = permissionRows.filter((row) => row.method === method && row.path === path)
  return rows.length === 0 ? {} : { 'x-permissions': rows.map(permissionOf) }
}

function permissionOf({ category, access, kinds }: PermissionRow): Permission {
  return { owner: category.owner, category: category.slug, access, tokens: kinds }
}

/** The rows whose endpoint the document states by method and path alone, each endpoint once. */
export function rowsBeside(described: ReadonlySet<string>): readonly PermissionRow[] {
  const rows = new Map(permissionRows.map((row) => [`${row.method} ${row.path}`, row]))
  return [...rows].filter(([label]) => !described.has(label)).map(([, row]) => row)
}

/** An operation of which the document states the permission and neither its request nor its response. */
export function rowOperation(row: PermissionRow, versionHeader: object) {
  const { title, owner } = row.category
  return {
    operationId: row.id,
    tags: ['Permission matrix'],
    description: `Requires the ${owner} permission ${title} (${row.access}). The document states no request body and no response.`,
    ...permissionsOf(row.method, row.path),
    parameters: [versionHeader, ...pathParameters(row.path).map(parameterOf)],
    responses: { default: { description: 'Not stated by the document.' } },
  }
}

function parameterOf(name: string) {
  return { name, in: 'path', required: true, schema: { type: 'string' } }
}
