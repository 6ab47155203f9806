import type { Caller } from '../http/exchange/caller.ts'
import type { NeedCatalogue, NeedName, Permissions, Role, TokenKind } from '../spec/needs.ts'

/** A token by its permissions. The narrowest configured one that fits is chosen, else the provider is asked. */
export interface TokenRequest {
  readonly kind: TokenKind
  /** The token must belong to the login of this role. */
  readonly of?: Role
  /** The token has at least these (write includes read), or exactly these under `only`. */
  readonly permissions?: Permissions
  readonly only?: boolean
  /** The token has none of these (having write is having read). */
  readonly lacks?: Permissions
  /** The token has no category without listed endpoints, except Metadata: such a category may grant anything (readings F12). */
  readonly listedOnly?: boolean
  /** Of several configured tokens that fit, the broadest. */
  readonly broadest?: boolean
  /** The permissions to request from the provider, if these are more than the token must have. */
  readonly ask?: Permissions
  /** Exactly these scopes (classic tokens). */
  readonly scopes?: readonly string[]
  /** The account of an installation, or the resource owner of a fine-grained token: the name in this need's `org` or `owner`. */
  readonly account?: string
}

/** Something that a check depends on; the judge resolves it before the check runs. */
export type NeedRef =
  | { readonly type: 'need'; readonly name: NeedName; readonly with?: unknown; readonly optional?: boolean }
  | { readonly type: 'role'; readonly role: Role; readonly optional?: boolean }
  | { readonly type: 'token'; readonly request: TokenRequest; readonly optional?: boolean }
  | { readonly type: 'login'; readonly role: Role; readonly optional?: boolean }
  | { readonly type: 'reader'; readonly optional?: boolean }
  | { readonly type: 'path'; readonly name: 'downloadArchive'; readonly optional?: boolean }
  | { readonly type: 'quota'; readonly optional?: boolean }

declare const givenType: unique symbol
/** A need reference that carries the type of its value. */
export type Needing<Given> = NeedRef & { readonly [givenType]?: Given }

export type NeedMap = Readonly<Record<string, Needing<unknown>>>

/** The values of a check's `needs`, by the same names. */
export type Resolved<Needs extends NeedMap> = {
  readonly [Key in keyof Needs]: Needs[Key] extends Needing<infer Given> ? Given : never
}

/** Test data by its catalogue name; `specifics` is the need's `with`. */
export function need<Name extends NeedName>(
  name: Name,
  specifics?: NeedCatalogue[Name]['with'],
): Needing<NeedCatalogue[Name]['given']> {
  return specifics === undefined ? { type: 'need', name } : { type: 'need', name, with: specifics }
}

/** A need of your own suites, described by a schema in the folder `needs` beside them, which defines its type. */
export function ownNeed<Given>(name: string, specifics?: unknown): Needing<Given> {
  return { type: 'need', name: name as NeedName, ...(specifics === undefined ? {} : { with: specifics }) }
}

/** The configured token of a role. */
export function role(name: Role): Needing<Caller> {
  return { type: 'role', role: name }
}

/** A token by kind and permissions or scopes. */
export function token(request: TokenRequest): Needing<Caller> {
  return { type: 'token', request }
}

/** The login of a role: from its token's declaration, else from the need `user`. */
export function loginOf(name: Role): Needing<string> {
  return { type: 'login', role: name }
}

/** The usual reader where no particular permission is needed: the owner's token, or an anonymous caller if none is configured. */
export function reader(): Needing<Caller> {
  return { type: 'reader' }
}

/** An address from `target.paths`, which the document leaves open. */
export function configuredPath(name: 'downloadArchive'): Needing<string> {
  return { type: 'path', name }
}

/** The configured way to probe the caller's quota (`target.rateLimit`). */
export function quota(): Needing<void> {
  return { type: 'quota' }
}

/** The same need, but the check also runs without it and then gets `undefined`. */
export function optional<Given>(wanted: Needing<Given>): Needing<Given | undefined> {
  return { ...wanted, optional: true } as Needing<Given | undefined>
}
