import type { Access, OwnerKind, Permissions, Role, TokenKind } from '../../src/spec/needs.ts'
import { type PermissionRow, permissionCategories } from '../../src/spec/permissions.ts'
import type { TokenRequest } from '../../src/suite/needs.ts'

/** The token kinds of the matrices. */
export const matrixKinds = ['app-user', 'app-installation', 'fine-grained'] as const satisfies readonly TokenKind[]
export type MatrixKind = (typeof matrixKinds)[number]

/**
 * The permissions of a token that is tried on a row: the row's permission and no higher (`granted`), the row's permission in a kind
 * that the row does not list (`listed`), write for a row that reads (`write`), read for a row that writes (`read-only`), as few
 * (`nothing`) or as many (`others`) other permissions as possible, or any permissions.
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
  return { ...whose, ...permissionsOf(row, kind, holding) }
}

function permissionsOf(row: PermissionRow, kind: MatrixKind, holding: Holding): Omit<TokenRequest, 'kind'> {
  const { owner, slug } = row.category
  const at = (access: Access): Permissions => ({ [owner]: { [slug]: access } })
  const [read, write, own] = [at('read'), at('write'), at(row.access)]
  if (holding === 'granted') return { permissions: own, ...(row.access === 'read' ? { lacks: write } : {}) }
  if (holding === 'listed') return { permissions: own }
  if (holding === 'write') return { permissions: write }
  if (holding === 'any') return { permissions: {} }
  if (holding === 'read-only') return { permissions: read, lacks: write, listedOnly: true }
  const without = { permissions: {}, lacks: read, listedOnly: true }
  return holding === 'nothing' ? without : { ...without, broadest: true, ask: othersThan(row, kind) }
}

/** Every other category with listed endpoints that a token for this row's account can have, at write. */
function othersThan(row: PermissionRow, kind: MatrixKind): Permissions {
  const accounts: readonly OwnerKind[] = isShared(row) ? ['organization', 'repository'] : ['repository', 'user']
  const owners: readonly OwnerKind[] = kind === 'app-user' ? ['organization', 'repository', 'user'] : accounts
  const others = permissionCategories.filter(
    (category) => category !== row.category && (kind !== 'fine-grained' || category.fineGrained === 'listed'),
  )
  const ofOwner = (name: OwnerKind) =>
    Object.fromEntries(others.filter(({ owner }) => owner === name).map(({ slug }) => [slug, 'write' as const]))
  return Object.fromEntries(owners.map((name) => [name, ofOwner(name)]))
}

/** True for rows on an organisation or a repository, which may have another owner than the user's rows. */
export function isShared(row: PermissionRow): boolean {
  return row.path.startsWith('/orgs/') || row.path.startsWith('/repos/')
}

/** The missing token, in the words of the configuration. */
export function describeToken(row: PermissionRow, kind: MatrixKind, holding: Holding): string {
  const { owner, slug } = row.category
  const name = `${owner}.${slug}`
  const held: Readonly<Record<Holding, string>> = {
    granted: `${name}: ${row.access}${row.access === 'read' ? ' and no more' : ''}`,
    listed: `${name}: ${row.access}`,
    write: `${name}: write`,
    'read-only': `${name}: read and no more`,
    nothing: `no ${name}`,
    others: `no ${name}`,
    any: 'any permissions',
  }
  return `needs token: one of kind ${kind} with ${held[holding]}`
}
