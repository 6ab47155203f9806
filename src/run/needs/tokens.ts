import type { TokenConfig } from '../../config/config.ts'
import type { Caller } from '../../http/exchange/caller.ts'
import type { Redactor } from '../../http/redaction/redaction.ts'
import type { OwnerKind, Permissions } from '../../spec/needs.ts'
import { emptyCategories, slugOf } from '../../spec/permissions.ts'
import type { TokenRequest } from '../../suite/needs.ts'

/** The configured tokens as callers. The redactor replaces each secret by the label of its token. */
export function callersOf(tokens: readonly TokenConfig[], redactor: Redactor): Caller[] {
  return tokens.map((token, index) => {
    const label = labelOfToken(token, index)
    redactor.add(token.secret, label)
    return { ...token, label }
  })
}

/** The label of a configured token: the name of its environment variable, if there is one. */
export function labelOfToken({ variable, role, kind }: TokenConfig, index: number): string {
  return variable ?? labelOf(role ?? `${kind}-${index + 1}`)
}

/** `inbox-user` → `TOKEN_INBOX_USER`. */
export function labelOf(name: string): string {
  return `TOKEN_${name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}`
}

/**
 * The narrowest configured token that fits a request, or the broadest where that is requested. `login` is the login of its owner,
 * if one is requested.
 */
export function narrowest(callers: readonly Caller[], wanted: TokenRequest, login: string | undefined): Caller | undefined {
  const fitting = callers
    .filter((caller) => caller.kind === wanted.kind && fits(caller, wanted, login))
    .sort((a, b) => breadth(a) - breadth(b))
  return fitting.at(wanted.broadest ? -1 : 0)
}

function fits(caller: Caller, wanted: TokenRequest, login: string | undefined): boolean {
  if (wanted.of !== undefined && (login === undefined || caller.login?.toLowerCase() !== login.toLowerCase())) return false
  if (wanted.account !== undefined && !isOn(caller, wanted.account)) return false
  if (wanted.scopes !== undefined && !sameMembers(caller.scopes, wanted.scopes)) return false
  if (wanted.permissions === undefined) return true
  if (caller.permissions === undefined || !holds(caller.permissions, wanted.permissions)) return false
  if (wanted.listedOnly && grants(caller.permissions).some(isUnlisted)) return false
  if (wanted.lacks && grants(wanted.lacks).some((grant) => holds(caller.permissions ?? {}, permissionOf(grant)))) return false
  return !wanted.only || holds(wanted.permissions, caller.permissions)
}

/** True for the account of an installation or the resource owner of a fine-grained token (its own user unless declared); a user's token that names no account is on any. */
function isOn(caller: Caller, account: string): boolean {
  const own = caller.kind === 'fine-grained' ? caller.login : caller.kind === 'app-user' ? account : undefined
  return (caller.account ?? caller.resourceOwner ?? own)?.toLowerCase() === account.toLowerCase()
}

/** True for a category without listed endpoints, except Metadata, which every real token has. */
function isUnlisted([owner, category]: [OwnerKind, string, string]): boolean {
  return category !== 'metadata' && emptyCategories[owner].some((title) => slugOf(title) === category)
}

function permissionOf([owner, category, access]: [OwnerKind, string, string]): Permissions {
  return { [owner]: { [category]: access } } as Permissions
}

/** True when `held` covers `wanted`; write covers read. */
function holds(held: Permissions, wanted: Permissions): boolean {
  return grants(wanted).every(([owner, category, access]) => {
    const level = held[owner]?.[category]
    return level === access || level === 'write'
  })
}

function grants(permissions: Permissions): [OwnerKind, string, string][] {
  return Object.entries(permissions).flatMap(([owner, categories]) =>
    Object.entries(categories ?? {}).map(([category, access]): [OwnerKind, string, string] => [
      owner as OwnerKind,
      category,
      access,
    ]),
  )
}

function breadth(caller: Caller): number {
  return grants(caller.permissions ?? {}).reduce((sum, [, , access]) => sum + (access === 'write' ? 2 : 1), 0)
}

function sameMembers(a: readonly string[] | undefined, b: readonly string[]): boolean {
  return a !== undefined && a.length === b.length && b.every((scope) => a.includes(scope))
}
