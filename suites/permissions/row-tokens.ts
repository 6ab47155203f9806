import type { OwnerKind, Permissions, Role, TokenKind } from '../../src/spec/needs.ts'
import { type PermissionRow, permissionCategories } from '../../src/spec/permissions.ts'
import type { TokenRequest } from '../../src/suite/needs.ts'

/** The token kinds that the matrices are about. */
export type MatrixKind = Extract<TokenKind, 'app-user' | 'app-installation' | 'fine-grained'>

/**
 * What a token holds when it is tried on a row: the permission at the row's level and no higher (`granted`), the permission in a kind
 * that the row does not list (`listed`), write where the row reads, read where the row writes, as little or as much as possible of anything else, or just anything.
 */
export type Holding = 'granted' | 'listed' | 'write' | 'read-only' | 'nothing' | 'others' | 'any'

/** The token to ask for. `account` is where it must be installed, or whose resources it reaches. */
export function tokenRequest(
  row: PermissionRow,
  kind: MatrixKind,
  of: Role,
  account: string | undefined,
  holding: Holding,
): TokenRequest {
  const whose = { kind, ...(kind === 'app-installation' ? {} : { of }), ...(account === undefined ? {} : { account }) }
  return { ...whose, ...heldBy(row, kind, holding) }
}

function heldBy(row: PermissionRow, kind: MatrixKind, holding: Holding): Omit<TokenRequest, 'kind'> {
  const [read, write, own] = (['read', 'write', row.access] as const).map((access) => permissionOf(row, access)) as [
    Permissions,
    Permissions,
    Permissions,
  ]
  if (holding === 'granted') return { permissions: own, ...(row.access === 'read' ? { lacks: write } : {}) }
  if (holding === 'listed') return { permissions: own }
  if (holding === 'write') return { permissions: write }
  if (holding === 'any') return { permissions: {} }
  if (holding === 'read-only') return { permissions: read, lacks: write, listedOnly: true }
  const without = { permissions: {}, lacks: read, listedOnly: true }
  return holding === 'nothing' ? without : { ...without, broadest: true, ask: othersThan(row, kind) }
}

/** A row's category at a level. */
function permissionOf(row: PermissionRow, access = row.access): Permissions {
  return { [row.category.owner]: { [row.category.slug]: access } }
}

/** Every other category that lists endpoints and that a token for this row's account can hold, at write. */
function othersThan(row: PermissionRow, kind: MatrixKind): Permissions {
  const accounts: readonly OwnerKind[] = isShared(row) ? ['organization', 'repository'] : ['repository', 'user']
  const owners: readonly OwnerKind[] = kind === 'app-user' ? ['organization', 'repository', 'user'] : accounts
  const held = permissionCategories.filter(
    (category) => category !== row.category && (kind !== 'fine-grained' || category.fineGrained === 'listed'),
  )
  return Object.fromEntries(
    owners.map((owner) => [
      owner,
      Object.fromEntries(held.filter((category) => category.owner === owner).map(({ slug }) => [slug, 'write' as const])),
    ]),
  )
}

/** True for rows on an organisation or a repository, whose owner need not be the one of the user's rows. */
export function isShared(row: PermissionRow): boolean {
  return row.path.startsWith('/orgs/') || row.path.startsWith('/repos/')
}

/** Which token is wanting, in the configuration's words. */
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
