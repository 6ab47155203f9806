import type { OwnerKind, Permissions, PermissionTarget, Role } from '../spec/needs.ts'
import {
  type Category,
  emptyCategories,
  feedCategories,
  permissionCategories,
  permissionRows,
  slugOf,
} from '../spec/permissions.ts'
import { guess, UsageError } from '../text/errors.ts'
import type { TokenConfig } from './config.ts'

/** Names the place of a configuration's member: file and line. */
export type Locate = (path: readonly (string | number)[]) => string

/** Which members mean something for which kinds of token, and what to write instead. */
const meant: readonly (readonly [member: keyof TokenConfig, kinds: readonly TokenConfig['kind'][], instead: string])[] = [
  ['scopes', ['classic'], 'scopes belong to classic tokens; other kinds have permissions'],
  ['permissions', ['fine-grained', 'app-user', 'app-installation'], 'permissions belong to fine-grained and app tokens'],
  ['account', ['app-user', 'app-installation'], 'account names where an app is installed'],
  ['resourceOwner', ['fine-grained'], 'resourceOwner belongs to fine-grained tokens'],
  ['login', ['classic', 'fine-grained', 'app-user'], 'an app does not act as a user'],
]

/**
 * Refuses token declarations that contradict themselves or each other: members that the kind cannot have, unknown categories,
 * one secret declared as two different tokens, one role given twice. Throws {@link UsageError}, which quotes what is written where.
 */
export function checkTokens(tokens: readonly TokenConfig[], locate: Locate): void {
  for (const [index, token] of tokens.entries()) {
    checkMembers(token, index, locate)
    checkCategories(token.permissions ?? {}, index, locate)
    checkPartners(tokens, index, locate)
  }
}

/** The shortest secret that can be told from other text, and so be kept out of every output. Characters. */
const shortestSecret = 8

/** Throws {@link UsageError} for a token whose secret is too short; the text does not quote it. */
export function checkSecrets(tokens: readonly TokenConfig[], locate: Locate): void {
  for (const [index, { secret }] of tokens.entries()) {
    if (secret.length >= shortestSecret) continue
    throw new UsageError(
      `${locate(['tokens', index, 'secret'])}: the secret of tokens.${index} has ${secret.length} characters; at least ${shortestSecret} are accepted, because a shorter one cannot be told from other text and kept out of the reports`,
    )
  }
}

function checkMembers(token: TokenConfig, index: number, locate: Locate): void {
  for (const [member, kinds, instead] of meant) {
    if (token[member] === undefined || kinds.includes(token.kind)) continue
    const value = JSON.stringify(token[member])
    throw new UsageError(
      `${locate(['tokens', index, member])}: tokens.${index} is ${token.kind} and has ${member} ${value}; ${instead}`,
    )
  }
  if (token.role !== undefined && (token.kind === 'app-installation' || token.kind === 'app')) {
    throw new UsageError(
      `${locate(['tokens', index, 'role'])}: tokens.${index} has role ${token.role} and kind ${token.kind}; a role belongs to a user, and an app does not act as one`,
    )
  }
}

function checkCategories(permissions: Permissions, index: number, locate: Locate): void {
  for (const [owner, categories] of Object.entries(permissions) as [OwnerKind, Record<string, string>][]) {
    const known = slugs(owner)
    const unknown = Object.keys(categories).find((slug) => !known.includes(slug))
    if (unknown === undefined) continue
    const where = locate(['tokens', index, 'permissions', owner, unknown])
    const hint = guess(unknown, known) || '; docs/permissions.md lists the accepted ones'
    throw new UsageError(`${where}: tokens.${index} has the unknown permission ${owner}.${unknown}${hint}`)
  }
}

function slugs(owner: OwnerKind): string[] {
  const listed = permissionCategories.filter((category: Category) => category.owner === owner).map(({ slug }) => slug)
  return [...listed, ...[...emptyCategories[owner], ...feedCategories[owner]].map(slugOf)]
}

function checkPartners(tokens: readonly TokenConfig[], index: number, locate: Locate): void {
  const token = tokens[index] as TokenConfig
  for (const [other, earlier] of tokens.slice(0, index).entries()) {
    if (token.role !== undefined && earlier.role === token.role && !sameLogin(token, earlier)) {
      throw new UsageError(
        `${locate(['tokens', index, 'login'])}: tokens.${index} and tokens.${other} have role ${token.role} and the logins ${token.login} and ${earlier.login}; a role belongs to one user`,
      )
    }
    if (mustDiffer(token.role, earlier.role) && areOneUser(token, earlier)) {
      const shared = token.login === undefined ? 'the same secret' : `the login ${token.login}`
      throw new UsageError(
        `${locate(['tokens', index, 'login'])}: tokens.${index} (${token.role}) and tokens.${other} (${earlier.role}) have ${shared}; checks need two users`,
      )
    }
    if (token.secret === earlier.secret && !sameToken(token, earlier)) {
      throw new UsageError(
        `${locate(['tokens', index])}: tokens.${index} has the same secret as tokens.${other} but different attributes; a token has one kind, owner and set of permissions`,
      )
    }
  }
}

/** True when two declarations describe one token; a role may be added to it. */
function sameToken(a: TokenConfig, b: TokenConfig): boolean {
  const described = ({ kind, login, account, resourceOwner, permissions, scopes }: TokenConfig) =>
    JSON.stringify([kind, login?.toLowerCase(), account, resourceOwner, permissions, scopes])
  return described(a) === described(b)
}

function areOneUser(a: TokenConfig, b: TokenConfig): boolean {
  return a.secret === b.secret || (a.login !== undefined && b.login !== undefined && sameLogin(a, b))
}

function sameLogin(a: TokenConfig, b: TokenConfig): boolean {
  return a.login === undefined || b.login === undefined || a.login.toLowerCase() === b.login.toLowerCase()
}

/** Refuses static permission targets that do not say which row of the matrix they are for. Throws {@link UsageError}. */
export function checkTargets(needs: Readonly<Record<string, unknown>>, locate: Locate): void {
  for (const [index, target] of [needs['permission-target'] ?? []].flat().entries()) {
    const { row, path } = target as Partial<PermissionTarget>
    const where = locate(['needs', 'permission-target', index])
    if (!row)
      throw new UsageError(`${where}: needs.permission-target.${index} has no row { method, path } of the permission matrix`)
    const known = permissionRows.find(({ method, path }) => method === row.method && path === row.path)
    const names = permissionRows.map(({ method, path }) => `${method} ${path}`)
    const name = `${row.method} ${row.path}`
    if (!known)
      throw new UsageError(
        `${where}: needs.permission-target.${index} is for ${name}, which is not a row of the permission matrix${guess(name, names)}`,
      )
    if (path?.split('?')[0]?.split('/').length !== row.path.split('/').length) {
      throw new UsageError(`${where}: needs.permission-target.${index} has the path ${path}, which does not match ${name}`)
    }
  }
}

/** Roles that one user may have together; the checks that need two people are untested then. */
const together: readonly Role[] = ['owner', 'member', 'org-owner']

/** True for two roles that one user cannot have together: an unrelated, a blocked or a disposable user is nobody else. */
export function mustDiffer(a: Role | undefined, b: Role | undefined): boolean {
  if (a === undefined || b === undefined || a === b) return false
  return !(together.includes(a) && together.includes(b))
}
