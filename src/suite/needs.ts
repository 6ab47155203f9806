import type { Caller } from '../http/exchange/caller.ts'
import type { NeedCatalogue, NeedName, Permissions, Role, TokenKind } from '../spec/needs.ts'

/** A description of the token that a check needs. The configured token with the fewest permissions that fits is chosen, else the provider is asked. */
export interface TokenRequest {
  readonly kind: TokenKind
  /** The token must belong to the login of this role. */
  readonly of?: Role
  /** The token has at least these permissions (write includes read), or exactly these if `only` is true. */
  readonly permissions?: Permissions
  readonly only?: boolean
  /** The token has none of these permissions (write includes read). */
  readonly lacks?: Permissions
  /** The token has only categories with listed endpoints, and Metadata: any other category may grant anything (readings F12). */
  readonly listedOnly?: boolean
  /** Of several configured tokens that fit, the one with the most permissions is chosen. */
  readonly broadest?: boolean
  /** The permissions to request from the provider, if they differ from `permissions`. */
  readonly ask?: Permissions
  /** The permissions to request from a provider that makes no token with those of `ask`. */
  readonly instead?: Permissions
  /** The scopes of the token, which has no others (classic tokens). */
  readonly scopes?: readonly string[]
  /** The account of an installation, or the resource owner of a fine-grained token: the name in this need's `org` or `owner`. */
  readonly account?: string
}

/** Something that a check depends on. The judge provides it before the check runs. */
export type NeedRef =
  | {
      readonly type: 'need'
      readonly name: NeedName
      readonly with?: unknown
      readonly optional?: boolean
    }
  | { readonly type: 'role'; readonly role: Role; readonly optional?: boolean }
  | { readonly type: 'token'; readonly request: TokenRequest; readonly optional?: boolean }
  | { readonly type: 'login'; readonly role: Role; readonly optional?: boolean }
  | { readonly type: 'reader'; readonly optional?: boolean }
  | { readonly type: 'path'; readonly name: 'downloadArchive'; readonly optional?: boolean }
  | { readonly type: 'quota'; readonly optional?: boolean }

/** The name of a need in lists and reports; undefined for one that is always met. @internal */
export function needName(wanted: NeedRef): string | undefined {
  if (wanted.type === 'need') return wanted.name
  if (wanted.type === 'role') return `token:${wanted.role}`
  if (wanted.type === 'path') return `paths.${wanted.name}`
  return { token: 'token', login: 'user', quota: 'target.rateLimit', reader: undefined }[
    wanted.type
  ]
}

declare const givenType: unique symbol
/** A need whose TypeScript type contains the type of its value. */
export type Needing<Given> = NeedRef & { readonly [givenType]?: Given }

/** The needs of a check, by names of its own. */
export type NeedMap = Readonly<Record<string, Needing<unknown>>>

/** The values of a check's `needs`, by the same names. */
export type Resolved<Needs extends NeedMap> = {
  readonly [Key in keyof Needs]: Needs[Key] extends Needing<infer Given> ? Given : never
}

/** Test data by its name in the catalogue. `specifics` are its properties (`with` in the catalogue). */
export function need<Name extends NeedName>(
  name: Name,
  specifics?: NeedCatalogue[Name]['with'],
): Needing<NeedCatalogue[Name]['given']> {
  return specifics === undefined ? { type: 'need', name } : { type: 'need', name, with: specifics }
}

/** A need of your own suites. A schema in the folder `needs` beside them describes its value. */
export function ownNeed<Given>(name: string, specifics?: unknown): Needing<Given> {
  return {
    type: 'need',
    name: name as NeedName,
    ...(specifics === undefined ? {} : { with: specifics }),
  }
}

/** The configured token of a role. */
export function role(name: Role): Needing<Caller> {
  return { type: 'role', role: name }
}

/** A token by kind and permissions or scopes. */
export function token(request: TokenRequest): Needing<Caller> {
  return { type: 'token', request }
}

/** The login of a role: declared with its token, else given by the need `user`. */
export function loginOf(name: Role): Needing<string> {
  return { type: 'login', role: name }
}

/** A caller for reads without a particular permission: the owner, or an anonymous caller if no token of the owner is configured. */
export function reader(): Needing<Caller> {
  return { type: 'reader' }
}

/** An address from `target.paths`, which the document leaves open. */
export function configuredPath(name: 'downloadArchive'): Needing<string> {
  return { type: 'path', name }
}

/** The endpoint that returns the caller's quota (`target.rateLimit`). */
export function quota(): Needing<void> {
  return { type: 'quota' }
}

/** The same need as an optional one. If it is missing, the check runs with the value `undefined`. */
export function optional<Given>(wanted: Needing<Given>): Needing<Given | undefined> {
  return { ...wanted, optional: true } as Needing<Given | undefined>
}
