import type { Permissions, Role, TokenKind } from '../../spec/needs.ts'

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

/** A caller without a token: its requests have no Authorization header. */
export const anonymous: Caller = { label: 'anonymous' }

/** The caller of a URL that contains its authorisation. Its requests have no Authorization header and cost no caller any quota. */
export const signedAddress: Caller = { label: 'signed-address' }
