import type { Access, OwnerKind, Permissions, Role, TokenKind } from '../../src/spec/needs.ts'
import { type PermissionRow, permissionCategories } from '../../src/spec/permissions.ts'
import type { TokenRequest } from '../../src/suite/needs.ts'

/** The token kinds of the matrices. */
export const matrixKinds = ['app-user', 'app-installation', 'fine-grained'] as const satisfies readonly TokenKind[]
export type MatrixKind = (typeof matrixKinds)[number]

/**
 * The permissions of a token that is tried on a row:
 * - `granted`: the row's permission and no higher
 * - `listed`: the row's permission, in a kind that the row does not list
 * - `write`: write, for a row that reads
 * - `read-only`: read, for a row that writes
 * - `nothing`, `others`: as few or as many other permissions as possible
 * - `any`: any permissions
 */
export type Holding = 'granted' | 'listed' | 'write' | 'read-only' | 'nothing' | 'others' | 'any'

/** A token for a row. `account`: the installation's account, or the owner of the resources that the token reaches. */
export function tokenRequest(
  row: PermissionRow,
  kind: MatrixKind,
  of: Role,
  account: string | undefined,
  holding: Holding,
): TokenRequest {
  const whose = { kind, ...(kind === 'app-installation' ? {} : { of }), ...(account === undefined ? {} : { account }) }
  return { ...whose, ...held(row, kind)[holding][0] }
}

/** The missing token, in the words of the configuration. */
export function describeToken(row: PermissionRow, kind: MatrixKind, holding: Holding): string {
  return `needs token: one of kind ${kind} with ${held(row, kind)[holding][1]}`
}

/** The permissions of the tokens that are tried, and their names in the configuration. */
function held(row: PermissionRow, kind: MatrixKind): Readonly<Record<Holding, [Omit<TokenRequest, 'kind'>, string]>> {
  const { owner, slug } = row.category
  const name = `${owner}.${slug}`
  const at = (access: Access): Permissions => ({ [owner]: { [slug]: access } })
  const without = { permissions: {}, lacks: at('read'), listedOnly: true }
  const exact = row.access === 'read' ? { lacks: at('write') } : {}
  return {
    granted: [{ permissions: at(row.access), ...exact }, `${name}: ${row.access}${row.access === 'read' ? ' and no more' : ''}`],
    listed: [{ permissions: at(row.access) }, `${name}: ${row.access}`],
    write: [{ permissions: at('write') }, `${name}: write`],
    'read-only': [{ permissions: at('read'), lacks: at('write'), listedOnly: true }, `${name}: read and no more`],
    nothing: [without, `no ${name}`],
    others: [{ ...without, broadest: true, ask: othersThan(row, kind) }, `no ${name}`],
    any: [{ permissions: {} }, 'any permissions'],
  }
}

/** Every other category with listed endpoints that a token for this row's account can have, at write. */
function othersThan(row: PermissionRow, kind: MatrixKind): Permissions {
  const account: OwnerKind = isShared(row) ? 'organization' : 'user'
  const owners = kind === 'app-user' ? (['organization', 'repository', 'user'] as const) : ([account, 'repository'] as const)
  const others = permissionCategories.filter(
    (category) => category !== row.category && (kind !== 'fine-grained' || category.fineGrained === 'listed'),
  )
  const ofOwner = (name: OwnerKind) =>
    Object.fromEntries(others.filter(({ owner }) => owner === name).map(({ slug }) => [slug, 'write' as const]))
  return Object.fromEntries(owners.map((name) => [name, ofOwner(name)]))
}

/** True for rows on an organisation or a repository, which may have another owner than the user's rows. */
export function isShared({ path }: PermissionRow): boolean {
  return path.startsWith('/orgs/') || path.startsWith('/repos/')
}
