import { type ChangeNumber, changeEndpoints, familyOf } from './change-endpoints.ts'
import { type Endpoint, endpoints } from './endpoints.ts'
import type { Level } from './requirements.ts'

/** Objects that are recognised by their members, wherever they appear in a body (readings G12). */
export type ShapedKind = 'repository' | 'pull request' | 'issue' | 'gist'

/** Objects that are recognised by their place: the endpoints of a change return them, at this depth of a body. */
export const placedKinds = {
  quota: 'top level',
  'resource quota': 'any depth',
  'API root': 'top level',
  'base gist': 'any depth',
  organisation: 'top level',
  attestation: 'any depth',
  advisory: 'any depth',
  'migrated repository': 'repository of a migration',
} as const satisfies Record<string, 'top level' | 'any depth' | 'repository of a migration'>

export type PlacedKind = keyof typeof placedKinds

/**
 * The effect of the newer version on a field. `deprecated` fields may be removed (readings V6), `retyped` ones may change their
 * form. `added` fields take the place of another one; `kept` ones exist in both versions and are to be read instead.
 */
export type Direction = 'removed' | 'deprecated' | 'retyped' | 'added' | 'kept'

/** A member of response objects that a change concerns. */
export interface FieldPart {
  readonly part: 'field'
  readonly direction: Direction
  /** The member's name, or `*` where the document does not name the members. */
  readonly field: string
  /** The kinds of object that have the member. */
  readonly in: readonly ShapedKind[] | PlacedKind
  /** No other object has a member of this name, so that the difference belongs to the change wherever it occurs. */
  readonly unmistakable?: true
  /** The level of the claim that the older version still has a removed or deprecated field (readings V2); `open` if it is not judged. */
  readonly early: Level | 'open'
  /** The level of the claim that the newer version has an added or kept field: `must` if the document relies on it. */
  readonly lost: Level | 'open'
}

/** A status that changes on every endpoint of the row. */
export interface StatusPart {
  readonly part: 'status'
  readonly older: number
  readonly newer: number
  readonly early: Level
}

/** A member of the request body that the newer version no longer honours or no longer accepts in every form. */
interface RequestPart {
  readonly part: 'request'
  readonly field: string
  readonly on: Endpoint
  readonly older: string
  readonly newer: string
  readonly early: Level
}

/** Values of a response member; `at` is a JSON pointer in which `*` is any item. */
interface ValuePart {
  readonly part: 'value'
  readonly at: string
  readonly older: readonly string[]
  readonly newer: readonly string[]
  readonly early: Level | 'open'
}

/** The media type of a response. */
interface MediaTypePart {
  readonly part: 'media-type'
  readonly older: string
  readonly newer: string
  readonly early: Level
}

/** An operation that only the older version has. */
interface OperationPart {
  readonly part: 'operation'
  /** Its address as the document names it. */
  readonly address: string
  readonly early: Level
}

export type ChangePart = FieldPart | StatusPart | RequestPart | ValuePart | MediaTypePart | OperationPart

/** One row of the document's table of changes (section Versioning, Changes in version 2026-03-10). */
export interface ChangeRow {
  /** All differences between the versions. */
  readonly parts: readonly [ChangePart, ...ChangePart[]]
  /** The endpoints that the row names, or the family that it names where paths are not shown. */
  readonly affects: readonly Endpoint[]
}

const feeds = [
  endpoints.publicEvents,
  endpoints.networkEvents,
  endpoints.organizationEvents,
  endpoints.repositoryEvents,
  endpoints.userEvents,
  endpoints.userOrganizationEvents,
  endpoints.userPublicEvents,
  endpoints.receivedEvents,
  endpoints.receivedPublicEvents,
]
const threads = [endpoints.listNotifications, endpoints.getThread, endpoints.listRepositoryNotifications]
const migrations = [endpoints.listMigrations, endpoints.getMigration, endpoints.listMigrationRepositories]
const gistLists = [changeEndpoints.gists, changeEndpoints.publicGists, changeEndpoints.starredGists, changeEndpoints.userGists]
const withRepositories = [...family(5), ...migrations, endpoints.startMigration, ...feeds]

/** The requests that read, create and update the objects of a row that names only a family. */
function family(change: ChangeNumber): Endpoint[] {
  return [familyOf(change), familyOf(change, 'POST'), familyOf(change, 'PATCH')]
}

const customLink = 'secret_scanning_push_protection_custom_link_enabled'
const notHonoured = { older: 'accepted', newer: 'without effect', early: 'must' } as const
const removed = { part: 'field', direction: 'removed', lost: 'open' } as const
const added = { part: 'field', direction: 'added', early: 'open', lost: 'must' } as const
const kept = { ...added, direction: 'kept' } as const
const betaForm = { part: 'field', early: 'open', lost: 'open' } as const

/** The document's table of changes; a forgotten row or cell does not compile. */
export const changeTable = {
  1: {
    parts: [
      { ...removed, field: 'rate', in: 'quota', early: 'must' },
      { ...kept, field: 'resources', in: 'quota' },
      { ...kept, field: 'core', in: 'resource quota' },
    ],
    affects: [changeEndpoints.rateLimit],
  },
  2: {
    parts: [{ part: 'request', field: 'permission', on: changeEndpoints.createTeam, ...notHonoured }],
    affects: [changeEndpoints.createTeam],
  },
  3: {
    parts: [{ part: 'value', at: '/*/type', older: ['file'], newer: ['submodule'], early: 'must' }],
    affects: [changeEndpoints.contents],
  },
  4: {
    parts: [{ part: 'media-type', older: 'application/json+sarif', newer: 'application/sarif+json', early: 'must' }],
    affects: [familyOf(4)],
  },
  5: {
    parts: [
      { ...removed, field: 'use_squash_pr_title_as_default', in: ['repository'], unmistakable: true, early: 'should' },
      { ...added, field: 'squash_merge_commit_title', in: ['repository'] },
    ],
    affects: withRepositories,
  },
  6: {
    parts: [
      { ...removed, field: 'authorizations_url', in: 'API root', early: 'must' },
      { ...removed, field: 'hub_url', in: 'API root', early: 'must' },
      { part: 'operation', address: '/hub', early: 'should' },
    ],
    affects: [changeEndpoints.root, familyOf(6, 'POST')],
  },
  7: {
    parts: [
      { ...betaForm, direction: 'deprecated', field: 'user', in: ['gist'] },
      { ...added, field: 'owner', in: ['gist'] },
      { ...betaForm, direction: 'deprecated', field: 'master_branch', in: ['repository'] },
      { ...added, field: 'default_branch', in: ['repository'] },
      { ...betaForm, direction: 'retyped', field: 'emails', in: [], unmistakable: true },
      { ...betaForm, direction: 'retyped', field: 'pull_request', in: ['issue'] },
    ],
    affects: [...withRepositories, ...gistLists],
  },
  8: {
    parts: [
      { ...removed, field: 'history', in: 'base gist', early: 'must' },
      { ...removed, field: 'forks', in: 'base gist', early: 'must' },
    ],
    affects: [
      ...gistLists,
      changeEndpoints.gist,
      changeEndpoints.gistForks,
      changeEndpoints.gistRevision,
      changeEndpoints.updateGist,
      changeEndpoints.createGist,
      changeEndpoints.forkGist,
    ],
  },
  9: {
    parts: [{ part: 'status', older: 204, newer: 202, early: 'must' }],
    affects: [changeEndpoints.deleteInstallation],
  },
  10: {
    parts: [
      { ...removed, field: customLink, in: 'organisation', early: 'should' },
      { part: 'request', field: customLink, on: changeEndpoints.updateOrganization, ...notHonoured },
    ],
    affects: [changeEndpoints.organization, changeEndpoints.updateOrganization],
  },
  11: {
    parts: [
      { part: 'value', at: '/languages', older: ['javascript', 'typescript'], newer: ['javascript-typescript'], early: 'should' },
    ],
    affects: [changeEndpoints.defaultSetup],
  },
  12: {
    parts: [{ ...removed, field: 'has_downloads', in: ['repository'], unmistakable: true, early: 'should' }],
    affects: [...family(12), ...threads, ...migrations, changeEndpoints.userSubscriptions, ...feeds],
  },
  13: {
    parts: [{ part: 'status', older: 422, newer: 451, early: 'must' }],
    affects: [changeEndpoints.createOrgRepository, changeEndpoints.createUserRepository],
  },
  14: {
    parts: [{ part: 'status', older: 403, newer: 451, early: 'must' }],
    affects: [
      changeEndpoints.deleteOrganization,
      changeEndpoints.removeMember,
      changeEndpoints.setMembership,
      changeEndpoints.acceptInvitation,
    ],
  },
  15: {
    parts: [
      { ...betaForm, direction: 'deprecated', field: 'cvss', in: 'advisory', unmistakable: true, early: 'should' },
      { ...added, field: 'cvss_severities', in: 'advisory', unmistakable: true, lost: 'should' },
    ],
    affects: [familyOf(15)],
  },
  16: {
    parts: [{ ...removed, field: '*', in: 'migrated repository', early: 'should' }],
    affects: [...migrations, endpoints.startMigration, changeEndpoints.startOrgMigration, familyOf(16)],
  },
  17: {
    parts: [{ ...removed, field: 'merge_commit_sha', in: ['pull request'], early: 'must' }],
    affects: [...family(17), ...feeds],
  },
  18: {
    parts: [
      { part: 'status', older: 204, newer: 200, early: 'must' },
      { part: 'request', field: 'return_run_details', on: changeEndpoints.dispatchWorkflow, ...notHonoured },
    ],
    affects: [changeEndpoints.dispatchWorkflow],
  },
  19: {
    parts: [
      { ...removed, field: 'assignee', in: ['issue', 'pull request'], early: 'must' },
      { ...kept, field: 'assignees', in: ['issue', 'pull request'] },
      { part: 'request', field: 'assignee', on: familyOf(19, 'PATCH'), ...notHonoured },
    ],
    affects: [...family(19), ...feeds],
  },
  20: {
    parts: [
      {
        part: 'request',
        field: 'selected_repository_ids',
        on: changeEndpoints.setOrganizationSecret,
        older: 'integers',
        newer: 'integers, never strings',
        early: 'must',
      },
    ],
    affects: [changeEndpoints.setOrganizationSecret],
  },
  21: {
    parts: [
      { ...removed, field: 'bundle', in: 'attestation', early: 'must' },
      { ...added, field: 'bundle_url', in: 'attestation' },
    ],
    affects: [
      changeEndpoints.orgAttestations,
      changeEndpoints.repositoryAttestations,
      changeEndpoints.userAttestations,
      changeEndpoints.orgAttestationList,
      changeEndpoints.userAttestationList,
    ],
  },
} as const satisfies Readonly<Record<ChangeNumber, ChangeRow>>
