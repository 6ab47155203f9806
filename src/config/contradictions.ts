import type { OwnerKind, Permissions, PermissionTarget, Role } from '../spec/needs.ts'
import {
  type Category,
  emptyCategories,
  feedCategories,
  permissionCategories,
  permissionRows,
  slugOf,
} from '../spec/permissions.ts'
import { guess } from '../text/errors.ts'
import type { TokenConfig } from './config.ts'
import { type Locate, refuse } from './yaml-file.ts'

/** The members that only some kinds of token have, with the reason. */
const limitedMembers: readonly (readonly [member: keyof TokenConfig, kinds: readonly TokenConfig['kind'][], reason: string])[] = [
  ['scopes', ['classic'], 'scopes belong to classic tokens; other kinds have permissions'],
  ['permissions', ['fine-grained', 'app-user', 'app-installation'], 'permissions belong to fine-grained and app tokens'],
  ['account', ['app-user', 'app-installation'], 'account names the place where an app is installed'],
  ['resourceOwner', ['fine-grained'], 'resourceOwner belongs to fine-grained tokens'],
  ['login', ['classic', 'fine-grained', 'app-user'], 'an app does not act as a user'],
  ['role', ['classic', 'fine-grained', 'app-user'], 'a role belongs to a user, and an app does not act as one'],
]

/**
 * Throws `UsageError` for token declarations that contradict themselves or each other: members that the kind cannot have, unknown
 * categories, one secret for two different tokens, one role for two users.
 */
export function checkTokens(tokens: readonly TokenConfig[], locate: Locate): void {
  for (const [index, token] of tokens.entries()) {
    checkMembers(token, index, locate)
    checkCategories(token.permissions ?? {}, index, locate)
    for (const [other, earlier] of tokens.slice(0, index).entries()) checkPair(token, index, earlier, other, locate)
  }
}

/** The shortest secret that reports can mask without masking other text. Characters. */
const shortestSecret = 8

/** True for a text that a header line can carry. */
export function isHeaderValue(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text)
}

/** Throws `UsageError` for a token whose secret is too short or cannot be sent; the text does not quote it. */
export function checkSecrets(tokens: readonly TokenConfig[], locate: Locate): void {
  for (const [index, { secret }] of tokens.entries()) {
    if (!isHeaderValue(secret)) {
      const sentence = `the secret of tokens.${index} contains a line break or another character that no header can carry`
      refuse(locate, ['tokens', index, 'secret'], sentence)
    }
    if (secret.length >= shortestSecret) continue
    const size = `the secret of tokens.${index} has ${secret.length} characters; at least ${shortestSecret} are accepted`
    refuse(locate, ['tokens', index, 'secret'], `${size}, because reports cannot mask a shorter one without masking other text`)
  }
}

function checkMembers(token: TokenConfig, index: number, locate: Locate): void {
  for (const [member, kinds, reason] of limitedMembers) {
    if (token[member] === undefined || kinds.includes(token.kind)) continue
    const value = JSON.stringify(token[member])
    refuse(locate, ['tokens', index, member], `tokens.${index} is ${token.kind} and has ${member} ${value}; ${reason}`)
  }
}

function checkCategories(permissions: Permissions, index: number, locate: Locate): void {
  for (const [owner, categories] of Object.entries(permissions) as [OwnerKind, Record<string, string>][]) {
    const known = slugs(owner)
    const unknown = Object.keys(categories).find((slug) => !known.includes(slug))
    if (unknown === undefined) continue
    const hint = guess(unknown, known) || '; docs/permissions.md lists the accepted ones'
    const path = ['tokens', index, 'permissions', owner, unknown]
    refuse(locate, path, `tokens.${index} has the unknown permission ${owner}.${unknown}${hint}`)
  }
}

function slugs(owner: OwnerKind): string[] {
  const listed = permissionCategories.filter((category: Category) => category.owner === owner).map(({ slug }) => slug)
  return [...listed, ...[...emptyCategories[owner], ...feedCategories[owner]].map(slugOf)]
}

function checkPair(token: TokenConfig, index: number, earlier: TokenConfig, other: number, locate: Locate): void {
  const [one, two] = [`tokens.${index}`, `tokens.${other}`]
  if (token.role !== undefined && earlier.role === token.role && !mayBeOneLogin(token, earlier)) {
    const logins = `role ${token.role} and the logins ${token.login} and ${earlier.login}`
    refuse(locate, ['tokens', index, 'login'], `${one} and ${two} have ${logins}; a role belongs to one user`)
  }
  if (mustDiffer(token.role, earlier.role) && isOneUser(token, earlier)) {
    const shared = token.login === undefined ? 'the same secret' : `the login ${token.login}`
    const roles = `${one} (${token.role}) and ${two} (${earlier.role})`
    refuse(locate, ['tokens', index, 'login'], `${roles} have ${shared}; checks need two users`)
  }
  if (token.secret === earlier.secret && attributesOf(token) !== attributesOf(earlier)) {
    const reason = 'a token has one kind, owner and set of permissions'
    refuse(locate, ['tokens', index], `${one} has the same secret as ${two} but different attributes; ${reason}`)
  }
}

/** The attributes that two declarations of one token share; only the role may differ. */
function attributesOf({ kind, login, account, resourceOwner, permissions, scopes }: TokenConfig): string {
  return JSON.stringify([kind, login?.toLowerCase(), account, resourceOwner, permissions, scopes])
}

function isOneUser(a: TokenConfig, b: TokenConfig): boolean {
  return a.secret === b.secret || (a.login !== undefined && b.login !== undefined && mayBeOneLogin(a, b))
}

function mayBeOneLogin(a: TokenConfig, b: TokenConfig): boolean {
  return a.login === undefined || b.login === undefined || a.login.toLowerCase() === b.login.toLowerCase()
}

/** Throws `UsageError` for a permission target without a row of the matrix, or with a path of another form. */
export function checkTargets(needs: Readonly<Record<string, unknown>>, locate: Locate): void {
  for (const [index, target] of [needs['permission-target'] ?? []].flat().entries()) {
    const { row, path } = target as Partial<PermissionTarget>
    const place = ['needs', 'permission-target', index]
    const name = place.join('.')
    if (!row) refuse(locate, place, `${name} has no row { method, path } of the permission matrix`)
    const label = `${row.method} ${row.path}`
    const known = permissionRows.map((each) => `${each.method} ${each.path}`)
    if (!known.includes(label))
      refuse(locate, place, `${name} is for ${label}, which is not a row of the permission matrix${guess(label, known)}`)
    if (path?.split('?')[0]?.split('/').length !== row.path.split('/').length)
      refuse(locate, place, `${name} has the path ${path}, which does not match ${label}`)
  }
}

/** The roles that one user may have together; the checks that need two people are untested then. */
const together: readonly Role[] = ['owner', 'member', 'org-owner']

/** True for two roles that one user cannot have together, such as the owner and an unrelated, blocked or disposable user. */
export function mustDiffer(a: Role | undefined, b: Role | undefined): boolean {
  if (a === undefined || b === undefined || a === b) return false
  return !(together.includes(a) && together.includes(b))
}
