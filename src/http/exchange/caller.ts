import type { Permissions, Role, TokenKind } from '../../spec/needs.ts'
import { counted } from '../../text/format.ts'

/** The identity of a request: a token with its known properties, or no token. */
export interface Caller {
  /** The environment name that replaces the secret in every output (`OWNER_TOKEN`), or `anonymous`. */
  readonly label: string
  readonly secret?: string
  readonly kind?: TokenKind
  readonly role?: Role
  readonly login?: string
  readonly account?: string
  readonly resourceOwner?: string
  readonly permissions?: Permissions
  readonly scopes?: readonly string[]
}

/** A caller with a token that was created during the run. Outputs replace the secret by a label made from `name`. */
export function bearer(secret: string, name: string): Caller {
  return { label: labelOf(name), secret }
}

/** `inbox-user` → `INBOX_USER_TOKEN`. */
export function labelOf(name: string) {
  return `${name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}_TOKEN`
}

/** Whose token a request has, in words: `with the owner's token`, `with the app-user token of mona, 0 permissions`. */
export function callerText({ label, role, kind, permissions, scopes, ...of }: Caller) {
  if (label === anonymous.label) return 'without a token'
  if (!role && !kind) return `with the ${label.toLowerCase().replaceAll(/[_-]/g, ' ')}`
  if (role) return `with the ${role === 'restricted' ? 'restricted user' : role}'s token`
  const owner = of.login ?? of.account ?? of.resourceOwner
  const held = scopes ?? Object.values(permissions ?? {}).flatMap((of) => Object.keys(of))
  const count = counted(held.length, scopes ? 'scope' : 'permission')
  const names = held.length > 0 && held.length < 4 ? ` (${held.join(', ')})` : ''
  return `with the ${kind} token${owner ? ` of ${owner}` : ''}, ${count}${names}`
}

/** A caller without a token: its requests have no Authorization header. */
export const anonymous: Caller = { label: 'anonymous' }

/** The caller of a URL that contains its authorisation. Its requests have no Authorization header and cost no caller any quota. */
export const signedAddress: Caller = { label: 'signed-address' }
