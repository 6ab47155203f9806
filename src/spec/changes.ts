import { changeEndpoints as at, familyOf } from './change-endpoints.ts'
import type { Endpoint } from './endpoint.ts'
import { endpoints } from './endpoints.ts'
import type { Level } from './level.ts'

/** One row of the document's table of changes (section Versioning, Changes in version 2026-03-10). */
export interface Change {
  readonly number: number
  /** What 2022-11-28 shows. */
  readonly older: string
  /** What 2026-03-10 shows. */
  readonly newer: string
  /** The endpoints that the row names, or the family that it names where paths are not shown. */
  readonly affects: readonly Endpoint[]
  /** How a change that is already in force under 2022-11-28 is judged (readings V2); not at all when absent. */
  readonly early?: Level
  /** What cannot be told from outside, and why. */
  readonly beyond?: string
}

const { publicEvents, networkEvents, organizationEvents, repositoryEvents, userEvents, userOrganizationEvents } = endpoints
const { userPublicEvents, receivedEvents, receivedPublicEvents, listNotifications, getThread, listRepositoryNotifications } =
  endpoints
const { listMigrations, getMigration, listMigrationRepositories, startMigration } = endpoints

const feeds = [
  publicEvents,
  networkEvents,
  organizationEvents,
  repositoryEvents,
  userEvents,
  userOrganizationEvents,
  userPublicEvents,
  receivedEvents,
  receivedPublicEvents,
]
const threads = [listNotifications, getThread, listRepositoryNotifications]
const migrations = [listMigrations, getMigration, listMigrationRepositories]
const gists = [at.gists, at.publicGists, at.starredGists, at.gist, at.gistForks, at.gistRevision, at.userGists]
const gistWrites = [at.updateGist, at.createGist, at.forkGist]
const attestations = [
  at.orgAttestations,
  at.repositoryAttestations,
  at.userAttestations,
  at.orgAttestationList,
  at.userAttestationList,
]
const memberships = [at.deleteOrganization, at.removeMember, at.setMembership, at.acceptInvitation]

const embedded = 'the feeds show such objects only inside payloads of some event types (readings V9)'

/** The 21 changes, in the document's order. */
export const changes: readonly Change[] = [
  { number: 1, older: 'rate beside resources', newer: 'resources.core alone', affects: [at.rateLimit], early: 'must' },
  {
    number: 2,
    older: 'permission accepted when a team is created',
    newer: 'permission without effect',
    affects: [at.createTeam],
    early: 'must',
    beyond: 'whether a removed parameter is ignored or refused is open (readings V13)',
  },
  {
    number: 3,
    older: 'submodules listed as file',
    newer: 'submodules listed as submodule',
    affects: [at.contents],
    early: 'must',
  },
  {
    number: 4,
    older: 'application/json+sarif',
    newer: 'application/sarif+json',
    affects: [familyOf(4)],
    early: 'must',
    beyond: 'the path is not shown, the target declares it (readings V16)',
  },
  {
    number: 5,
    older: 'use_squash_pr_title_as_default in repositories',
    newer: 'squash_merge_commit_title instead',
    affects: [familyOf(5), ...feeds],
    early: 'should',
    beyond: `${embedded}; the field depends on rights, so its early absence only warns`,
  },
  {
    number: 6,
    older: 'authorizations_url and hub_url at the root, and /hub',
    newer: 'neither of them',
    affects: [at.root, familyOf(6, 'POST')],
    early: 'must',
    beyond: 'how /hub is called is not shown, the target declares it (readings V15)',
  },
  {
    number: 7,
    older: 'the forms of the beta media type',
    newer: 'owner for user, default_branch for master_branch',
    affects: [familyOf(5), at.gists, at.userGists],
    beyond:
      'deprecated is not removed: the old forms may stay (readings V6), so only the loss of both forms, or of the new one, shows',
  },
  {
    number: 8,
    older: 'history and forks in gists',
    newer: 'neither of them at the top level of a gist',
    affects: [...gists, ...gistWrites],
    early: 'must',
    beyond: 'under 2022-11-28 the single gist alone must hold them (readings V2)',
  },
  { number: 9, older: '204 for a deleted installation', newer: '202', affects: [at.deleteInstallation], early: 'must' },
  {
    number: 10,
    older: 'secret_scanning_push_protection_custom_link_enabled in organisations',
    newer: 'neither shown nor settable',
    affects: [at.organization, at.updateOrganization],
    early: 'should',
  },
  {
    number: 11,
    older: 'javascript or typescript among the languages',
    newer: 'javascript-typescript',
    affects: [at.defaultSetup],
    beyond: 'which values 2022-11-28 must use is not shown',
  },
  {
    number: 12,
    older: 'has_downloads in repositories',
    newer: 'no has_downloads',
    affects: [familyOf(12), ...threads, ...migrations, at.userSubscriptions, ...feeds],
    early: 'should',
    beyond: `minimal repositories need not hold it under 2022-11-28 (readings V3); ${embedded}`,
  },
  {
    number: 13,
    older: '422 when trade controls block a new repository',
    newer: '451',
    affects: [at.createOrgRepository, at.createUserRepository],
    early: 'must',
    beyond: 'only a restricted account meets trade controls (readings V12)',
  },
  {
    number: 14,
    older: '403 when trade controls block a membership',
    newer: '451',
    affects: memberships,
    early: 'must',
    beyond: 'only a restricted account meets trade controls (readings V12)',
  },
  {
    number: 15,
    older: 'cvss in advisories',
    newer: 'cvss_severities with cvss_v3 and cvss_v4',
    affects: [familyOf(15)],
    early: 'should',
    beyond: 'deprecated is not removed: cvss may stay (readings V6)',
  },
  {
    number: 16,
    older: 'detailed repositories in migrations',
    newer: 'fewer fields in them',
    affects: [...migrations, startMigration, at.startOrgMigration, familyOf(16)],
    early: 'should',
    beyond: 'which fields remain is not shown (readings V17)',
  },
  {
    number: 17,
    older: 'merge_commit_sha in pull requests',
    newer: 'no merge_commit_sha',
    affects: [familyOf(17), ...feeds],
    early: 'must',
    beyond: embedded,
  },
  {
    number: 18,
    older: '204 for a dispatched workflow',
    newer: '200 with the run',
    affects: [at.dispatchWorkflow],
    early: 'must',
  },
  {
    number: 19,
    older: 'assignee beside assignees',
    newer: 'assignees alone',
    affects: [familyOf(19), familyOf(19, 'PATCH'), ...feeds],
    early: 'must',
    beyond: embedded,
  },
  {
    number: 20,
    older: 'selected_repository_ids as integers, perhaps as strings',
    newer: 'integers only',
    affects: [at.setOrganizationSecret],
    early: 'must',
    beyond: 'what 2022-11-28 does with strings is not shown (readings V14)',
  },
  { number: 21, older: 'bundle in attestations', newer: 'bundle_url instead', affects: attestations, early: 'must' },
]
