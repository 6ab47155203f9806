import type { TokenConfig } from '../../config/config.ts'
import { type Caller, labelOf } from '../../http/exchange/caller.ts'
import type { Redactor } from '../../http/redaction/redaction.ts'
import type { OwnerKind, Permissions } from '../../spec/needs.ts'
import { emptyCategories, slugOf } from '../../spec/permissions/permissions.ts'
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
export function labelOfToken({ variable, role, kind }: TokenConfig, index: number) {
  return variable ?? labelOf(role ?? `${kind}-${index + 1}`)
}

/** The narrowest configured token that fits a request, or the broadest one if the request says so. `login` is its owner. */
export function narrowest(
  callers: readonly Caller[],
  wanted: TokenRequest,
  login: string | undefined,
) {
  const fitting = callers
    .filter((caller) => caller.kind === wanted.kind && fits(caller, wanted, login))
    .sort((a, b) => breadth(a) - breadth(b))
  return fitting.at(wanted.broadest ? -1 : 0)
}

function fits(caller: Caller, wanted: TokenRequest, login: string | undefined) {
  const { permissions: held, scopes } = caller
  if (
    wanted.of !== undefined &&
    (login === undefined || caller.login?.toLowerCase() !== login.toLowerCase())
  )
    return false
  if (wanted.account !== undefined && !actsOnAccount(caller, wanted.account)) return false
  if (wanted.scopes !== undefined && scopes?.toSorted().join() !== wanted.scopes.toSorted().join())
    return false
  if (wanted.permissions === undefined) return true
  if (held === undefined || !grantsOf(wanted.permissions).every((grant) => covers(held, grant)))
    return false
  // Every real token has Metadata.
  const isListed = ([owner, category]: Grant) =>
    category === 'metadata' || !emptyCategories[owner].some((title) => slugOf(title) === category)
  if (wanted.listedOnly && !grantsOf(held).every(isListed)) return false
  if (grantsOf(wanted.lacks).some((grant) => covers(held, grant))) return false
  return !wanted.only || grantsOf(held).every((grant) => covers(wanted.permissions, grant))
}

/** True if a token acts on this account. An installation has one account, and a fine-grained token a resource owner, by default its user. An app's user token without an account acts on any. */
function actsOnAccount(caller: Caller, account: string) {
  const own =
    caller.kind === 'fine-grained' ? caller.login : caller.kind === 'app-user' ? account : undefined
  return (caller.account ?? caller.resourceOwner ?? own)?.toLowerCase() === account.toLowerCase()
}

type Grant = readonly [owner: OwnerKind, category: string, access: string]

/** The single grants of permissions: `organization`, `blocking_users`, `read`. */
function grantsOf(permissions: Permissions = {}): Grant[] {
  return (Object.entries(permissions) as [OwnerKind, Record<string, string>][]).flatMap(
    ([owner, categories]) =>
      Object.entries(categories).map(([category, access]) => [owner, category, access]),
  )
}

/** True when `held` contains a grant; write covers read. */
function covers(held: Permissions | undefined, [owner, category, access]: Grant) {
  const level = held?.[owner]?.[category]
  return level === access || level === 'write'
}

function breadth({ permissions }: Caller) {
  return grantsOf(permissions).reduce((sum, [, , access]) => sum + (access === 'write' ? 2 : 1), 0)
}
