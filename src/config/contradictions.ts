import type { OwnerKind, Permissions, PermissionTarget, Role } from '../spec/needs.ts'
import {
  emptyCategories,
  feedCategories,
  permissionCategories,
  permissionRows,
  slugOf,
} from '../spec/permissions/permissions.ts'
import { didYouMean } from '../text/errors.ts'
import type { TokenConfig } from './config.ts'
import { type Locate, refuse } from './yaml-file.ts'

/** Throws `UsageError` for tokens with an unknown category, and for two tokens that contradict each other. */
export function checkTokens(tokens: readonly TokenConfig[], locate: Locate) {
  for (const [index, token] of tokens.entries()) {
    checkCategories(token.permissions ?? {}, index, locate)
    for (const [other, earlier] of tokens.slice(0, index).entries())
      checkPair(token, index, earlier, other, locate)
  }
}

function checkCategories(permissions: Permissions, index: number, locate: Locate) {
  for (const [owner, categories] of Object.entries(permissions) as [
    OwnerKind,
    Record<string, string>,
  ][]) {
    const listed = permissionCategories
      .filter((category) => category.owner === owner)
      .map(({ slug }) => slug)
    const known = [...listed, ...[...emptyCategories[owner], ...feedCategories[owner]].map(slugOf)]
    const unknown = Object.keys(categories).find((slug) => !known.includes(slug))
    if (unknown === undefined) continue
    const hint = didYouMean(unknown, known) || '; docs/areas/permissions.md lists the accepted ones'
    const path = ['tokens', index, 'permissions', owner, unknown]
    refuse(locate, path, `tokens.${index} has the unknown permission ${owner}.${unknown}${hint}`)
  }
}

function checkPair(
  token: TokenConfig,
  index: number,
  earlier: TokenConfig,
  other: number,
  locate: Locate,
) {
  const one = `tokens.${index}`
  const two = `tokens.${other}`
  if (token.role !== undefined && earlier.role === token.role && !mayBeOneLogin(token, earlier)) {
    const logins = `role ${token.role} and the logins ${token.login} and ${earlier.login}`
    refuse(
      locate,
      ['tokens', index, 'login'],
      `${one} and ${two} have ${logins}; a role belongs to one user`,
    )
  }
  const areNamed = token.login !== undefined && earlier.login !== undefined
  const isOneUser = token.secret === earlier.secret || (areNamed && mayBeOneLogin(token, earlier))
  if (mustDiffer(token.role, earlier.role) && isOneUser) {
    const shared = token.login === undefined ? 'the same secret' : `the login ${token.login}`
    const roles = `${one} (${token.role}) and ${two} (${earlier.role})`
    refuse(locate, ['tokens', index, 'login'], `${roles} have ${shared}; checks need two users`)
  }
  if (token.secret === earlier.secret && attributesOf(token) !== attributesOf(earlier)) {
    const reason = 'a token has one kind, owner and set of permissions'
    refuse(
      locate,
      ['tokens', index],
      `${one} has the same secret as ${two} but different attributes; ${reason}`,
    )
  }
}

/** The attributes that two declarations of one token share; only the role may differ. */
function attributesOf({ kind, login, account, resourceOwner, permissions, scopes }: TokenConfig) {
  return JSON.stringify([kind, login?.toLowerCase(), account, resourceOwner, permissions, scopes])
}

function mayBeOneLogin(a: TokenConfig, b: TokenConfig) {
  return (
    a.login === undefined ||
    b.login === undefined ||
    a.login.toLowerCase() === b.login.toLowerCase()
  )
}

/** Throws `UsageError` for a permission target without a row of the matrix, or with a path of another form. */
export function checkTargets(needs: Readonly<Record<string, unknown>>, locate: Locate) {
  for (const [index, target] of [needs['permission-target'] ?? []].flat().entries()) {
    const { row, path } = target as Partial<PermissionTarget>
    const place = ['needs', 'permission-target', index]
    const name = place.join('.')
    if (!row) refuse(locate, place, `${name} has no row { method, path } of the permission matrix`)
    const label = `${row.method} ${row.path}`
    const known = permissionRows.map((each) => `${each.method} ${each.path}`)
    if (!known.includes(label))
      refuse(
        locate,
        place,
        `${name} is for ${label}, which is not a row of the permission matrix${didYouMean(label, known)}`,
      )
    if (path?.split('?')[0]?.split('/').length !== row.path.split('/').length)
      refuse(locate, place, `${name} has the path ${path}, which does not match ${label}`)
  }
}

/** One user may have several of these roles. Checks with two people are then untested. */
const together: readonly Role[] = ['owner', 'member', 'org-owner']

/** True for two roles that one user cannot have together, such as the owner and an unrelated, blocked or disposable user. */
export function mustDiffer(a: Role | undefined, b: Role | undefined) {
  if (a === undefined || b === undefined || a === b) return false
  return !(together.includes(a) && together.includes(b))
}
