import type { Permissions, Role, TokenKind } from '../../spec/needs.ts'

/** Whoever a request is sent as: a token, or nobody. */
export interface Caller {
  /** The environment name that stands for the secret in every output (`TOKEN_OWNER`), or `anonymous`. */
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

/** A caller by a token that was given while running; `name` becomes the name that stands for the secret. */
export function bearer(secret: string, name: string): Caller {
  return { label: `TOKEN_${name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}`, secret }
}

/** Sends no Authorization header. */
export const anonymous: Caller = { label: 'anonymous' }
