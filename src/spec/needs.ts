/** Token kinds with permissions. Notifications and migrations refuse them (document: Authentication, rules 5 and 6). */
export const matrixKinds = ['app-user', 'app-installation', 'fine-grained'] as const
/** A token kind of the permission matrices: one of {@link matrixKinds}. */
export type MatrixKind = (typeof matrixKinds)[number]
/** Token kinds of the document (section Authentication), and `app` for an app's own credentials. */
export type TokenKind = MatrixKind | 'classic' | 'app'

/** The identities that the suite sends requests as. There are no others. */
export const roles = [
  'owner',
  'org-owner',
  'member',
  'outsider',
  'inbox-user',
  'restricted',
] as const
/** An identity of the configuration: one of {@link roles}. */
export type Role = (typeof roles)[number]

/** The level of a permission; write includes read (document: Authentication). */
export type Access = 'read' | 'write'
/** The kind of account or object that a permission belongs to (document: Authentication, Permission matrix (app tokens)). */
export type OwnerKind = 'organization' | 'repository' | 'user'

/** The access to each category by its slug, by the kind of owner, as in the configuration: `{ organization: { events: read } }`. */
export type Permissions = { readonly [kind in OwnerKind]?: Readonly<Record<string, Access>> }

type RepositoryName = { owner: string; repo: string }
type ThreadName = { thread_id: string; owner: string; repo: string }
type ThreadTraits = { reason?: string; owner?: string; repo?: string; updatedAt?: string }
type Nothing = Record<never, never>
/** One request that the operator of a target declares, for an address that the document does not state. */
export type DeclaredRequest = {
  method: string
  path: string
  body?: unknown
  as?: string
  disposable?: boolean
}

/** A request that restores a disposable object. `{/id}` in its path means the value at this JSON pointer in the response to the write. */
export type RestoreRequest = { method: string; path: string; body?: unknown }
/** A valid request on a disposable object for one row of the permission matrix. */
export type PermissionTarget = {
  /** The row that a value in the configuration is for. */
  row?: { method: string; path: string }
  path: string
  body?: unknown
  /** An address that returns the object after the write, and the place in its response that the write changes. */
  readBack?: string | { path: string; pointer?: string } | null
  restore?: RestoreRequest | RestoreRequest[] | null
}

type Need<With, Given> = { with: With; given: Given }
type Values<Names extends string, Given> = Readonly<Record<Names, Need<Nothing, Given>>>

type Place =
  | 'private-repository'
  | 'empty-repository'
  | 'busy-repository'
  | 'default-setup'
  | 'large-inbox'
type Organization = 'organization' | 'empty-organization' | 'busy-organization'
type Thread = 'shared-thread' | 'muting-thread' | 'watched-thread'
type Migration =
  | 'failed-migration'
  | 'foreign-migration'
  | 'expired-migration'
  | 'many-repositories'

/** The needs of checks. A check may state the properties in `with` and gets the value in `given`. `schemas/needs/` has a schema for each name. */
export interface NeedCatalogue
  extends Values<Place, RepositoryName>,
    Values<'public-repository', RepositoryName & { fork?: string }>,
    Values<'second-repository', RepositoryName & { third?: string }>,
    Values<Organization, { org: string }>,
    Values<Thread, { thread_id: string }>,
    Values<'disposable-inbox' | 'bulk-inbox', { token: string }>,
    Values<Migration, { migration_id: number }> {
  token: Need<
    {
      kind: TokenKind
      login?: string
      permissions?: Permissions
      scopes?: readonly string[]
      account?: string
      resourceOwner?: string
    },
    { secret: string; login?: string }
  >
  user: Need<{ role: Role }, { login: string }>

  'foreign-private-repository': Need<Nothing, RepositoryName & { followed: string }>
  'renamed-repository': Need<Nothing, RepositoryName & { newOwner: string; newRepo: string }>
  'busy-user': Need<Nothing, { login: string }>
  'windowed-feed': Need<{ feed?: string }, { path: string }>
  'received-events': Need<
    { private?: boolean },
    { watchedRepository: string; followedLogin: string }
  >
  'new-event': Need<{ feed: string }, Nothing>

  'unread-thread': Need<ThreadTraits, ThreadName>
  'read-thread': Need<ThreadTraits, ThreadName>
  'foreign-thread': Need<Nothing, { thread_id: string; token?: string }>
  'filter-threads': Need<Nothing, { thread_ids: string[] }>
  'new-notification': Need<
    { thread_id?: string; owner?: string; repo?: string; reason?: string },
    { thread_id: string }
  >
  'comment-on-thread': Need<{ thread_id: string }, Nothing>
  'mention-on-thread': Need<{ thread_id: string }, Nothing>

  'exportable-repository': Need<
    Nothing,
    RepositoryName & {
      kinds: string[]
      attachments?: boolean | number
      releases?: boolean | number
      gitFiles?: boolean | number | string[]
      ownerProjects?: boolean | number
    }
  >
  'many-migrations': Need<Nothing, Nothing>
  'advance-clock': Need<{ seconds: number }, Nothing>

  'permission-target': Need<{ row: { method: string; path: string } }, PermissionTarget>

  'version-request': Need<{ change: number }, { requests: DeclaredRequest[] }>
  'trade-restricted-request': Need<
    { change: number; method: string; path: string },
    DeclaredRequest
  >
  'disposable-installation': Need<Nothing, { installation_id: string; token: string }>
  workflow: Need<Nothing, RepositoryName & { workflow_id: string; ref?: string }>
  'submodule-listing': Need<Nothing, RepositoryName & { path: string; name?: string }>
  gist: Need<Nothing, { gist_id: string; sha?: string }>
  attestation: Need<Nothing, Record<string, string>>
  'organization-secret': Need<
    Nothing,
    { org: string; secret_name: string; body?: Record<string, unknown>; repository_ids?: number[] }
  >
}

/** The name of a built-in need: a key of {@link NeedCatalogue}. */
export type NeedName = keyof NeedCatalogue
