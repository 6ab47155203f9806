import type { Permissions, Role, TokenKind } from '../../spec/needs.ts'

/** The identity under which a request is sent: a token, or none. */
export interface Caller {
  /** The environment name that replaces the secret in every output (`TOKEN_OWNER`), or `anonymous`. */
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

/** A caller with a token that was created during the run; outputs replace the secret by a label made from `name`. */
export function bearer(secret: string, name: string): Caller {
  return { label: `TOKEN_${name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}`, secret }
}

/** Sends no Authorization header. */
export const anonymous: Caller = { label: 'anonymous' }

/** The reader of an address that contains its own authorisation. It sends no Authorization header and spends no caller's quota. */
export const signedAddress: Caller = { label: 'signed-address' }
