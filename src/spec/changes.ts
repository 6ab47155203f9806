import type { Change, ChangeNumber, ChangePart, ChangeRow, FieldPart } from './change.ts'
import { changeEndpoints, familyOf } from './change-endpoints.ts'
import { type Endpoint, endpointLabel } from './endpoint.ts'
import { endpoints } from './endpoints.ts'
import type { Level } from './level.ts'

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

/** The requests that read, create and update what a row names only as a family. */
function family(change: ChangeNumber): Endpoint[] {
  return [familyOf(change), familyOf(change, 'POST'), familyOf(change, 'PATCH')]
}

const customLink = 'secret_scanning_push_protection_custom_link_enabled'
const onlyInPayloads = 'the feeds return such objects only inside payloads of some event types (readings V9)'
const needsRestrictedAccount = 'only a restricted account meets trade controls (readings V12)'
const notHonoured = { older: 'accepted', newer: 'without effect', early: 'must' } as const
const removed = { part: 'field', direction: 'removed', lost: 'open' } as const
const added = { part: 'field', direction: 'added', early: 'open', lost: 'must' } as const
const kept = { ...added, direction: 'kept' } as const
const betaForm = { part: 'field', early: 'open', lost: 'open' } as const

/** The document's table; a forgotten row or cell does not compile. */
const rows = {
  1: {
    what: '`rate` is removed; `resources.core` reports the same quota',
    parts: [
      { ...removed, field: 'rate', in: 'quota', early: 'must' },
      { ...kept, field: 'resources', in: 'quota' },
      { ...kept, field: 'core', in: 'resource quota' },
    ],
    affects: [changeEndpoints.rateLimit],
    open: null,
  },
  2: {
    what: 'the request property `permission` of a new team is removed',
    parts: [{ part: 'request', field: 'permission', on: changeEndpoints.createTeam, ...notHonoured }],
    affects: [changeEndpoints.createTeam],
    open: 'a removed parameter may be ignored or refused (readings V13)',
  },
  3: {
    what: 'submodules in a directory listing have the type `submodule` instead of `file`',
    parts: [{ part: 'value', at: '/*/type', older: ['file'], newer: ['submodule'], early: 'must' }],
    affects: [changeEndpoints.contents],
    open: null,
  },
  4: {
    what: 'a SARIF analysis has the media type that was asked for',
    parts: [{ part: 'media-type', older: 'application/json+sarif', newer: 'application/sarif+json', early: 'must' }],
    affects: [familyOf(4)],
    open: 'the path is not shown; the target declares it (readings V16)',
  },
  5: {
    what: '`use_squash_pr_title_as_default` is replaced by `squash_merge_commit_title`',
    parts: [
      { ...removed, field: 'use_squash_pr_title_as_default', in: ['repository'], unmistakable: true, early: 'should' },
      { ...added, field: 'squash_merge_commit_title', in: ['repository'] },
    ],
    affects: withRepositories,
    open: `${onlyInPayloads}; the field depends on rights, so its early absence only warns`,
  },
  6: {
    what: '`authorizations_url` and `hub_url` leave the API root, and `/hub` is removed',
    parts: [
      { ...removed, field: 'authorizations_url', in: 'API root', early: 'must' },
      { ...removed, field: 'hub_url', in: 'API root', early: 'must' },
      { part: 'operation', address: '/hub', early: 'should' },
    ],
    affects: [changeEndpoints.root, familyOf(6, 'POST')],
    open: 'how `/hub` is called is not shown; the target declares it (readings V15)',
  },
  7: {
    what: 'the forms of the beta media type are deprecated: `owner` replaces `user`, `default_branch` replaces `master_branch`',
    parts: [
      { ...betaForm, direction: 'deprecated', field: 'user', in: ['gist'] },
      { ...added, field: 'owner', in: ['gist'] },
      { ...betaForm, direction: 'deprecated', field: 'master_branch', in: ['repository'] },
      { ...added, field: 'default_branch', in: ['repository'] },
      { ...betaForm, direction: 'retyped', field: 'emails', in: [], unmistakable: true },
      { ...betaForm, direction: 'retyped', field: 'pull_request', in: ['issue'] },
    ],
    affects: [...withRepositories, ...gistLists],
    open: 'deprecated forms may stay (readings V6); only the loss of both forms, or of the new one, is noticed',
  },
  8: {
    what: '`history` and `forks` are removed from the base gist',
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
    open: 'under 2022-11-28 only the single gist must have them (readings V2)',
  },
  9: {
    what: 'the deletion of an installation returns 202 instead of 204',
    parts: [{ part: 'status', older: 204, newer: 202, early: 'must' }],
    affects: [changeEndpoints.deleteInstallation],
    open: null,
  },
  10: {
    what: `\`${customLink}\` is removed from requests and responses`,
    parts: [
      { ...removed, field: customLink, in: 'organisation', early: 'should' },
      { part: 'request', field: customLink, on: changeEndpoints.updateOrganization, ...notHonoured },
    ],
    affects: [changeEndpoints.organization, changeEndpoints.updateOrganization],
    open: 'a removed parameter may be ignored or refused (readings V13)',
  },
  11: {
    what: 'the language `javascript-typescript` replaces `javascript` and `typescript`',
    parts: [
      { part: 'value', at: '/languages', older: ['javascript', 'typescript'], newer: ['javascript-typescript'], early: 'should' },
    ],
    affects: [changeEndpoints.defaultSetup],
    open: 'which values 2022-11-28 must use is not shown, so only the new one without the former is noticed',
  },
  12: {
    what: '`has_downloads` is removed from repositories',
    parts: [{ ...removed, field: 'has_downloads', in: ['repository'], unmistakable: true, early: 'should' }],
    affects: [...family(12), ...threads, ...migrations, changeEndpoints.userSubscriptions, ...feeds],
    open: `under 2022-11-28 only repositories that resemble one with the field must have it (readings V2, V3); ${onlyInPayloads}`,
  },
  13: {
    what: 'the creation of a repository that trade controls block returns 451 instead of 422',
    parts: [{ part: 'status', older: 422, newer: 451, early: 'must' }],
    affects: [changeEndpoints.createOrgRepository, changeEndpoints.createUserRepository],
    open: needsRestrictedAccount,
  },
  14: {
    what: 'a request about an organisation, a membership or an invitation that trade controls block returns 451 instead of 403',
    parts: [{ part: 'status', older: 403, newer: 451, early: 'must' }],
    affects: [
      changeEndpoints.deleteOrganization,
      changeEndpoints.removeMember,
      changeEndpoints.setMembership,
      changeEndpoints.acceptInvitation,
    ],
    open: needsRestrictedAccount,
  },
  15: {
    what: '`cvss` is deprecated in favour of `cvss_severities` with `cvss_v3` and `cvss_v4`',
    parts: [
      { ...betaForm, direction: 'deprecated', field: 'cvss', in: 'advisory', unmistakable: true, early: 'should' },
      { ...added, field: 'cvss_severities', in: 'advisory', unmistakable: true, lost: 'should' },
    ],
    affects: [familyOf(15)],
    open: 'deprecated is not removed: `cvss` may stay, even alone (readings V6)',
  },
  16: {
    what: 'repositories in migrations have fewer fields',
    parts: [{ ...removed, field: '*', in: 'migrated repository', early: 'should' }],
    affects: [...migrations, endpoints.startMigration, changeEndpoints.startOrgMigration, familyOf(16)],
    open: 'which fields remain is not shown (readings V17)',
  },
  17: {
    what: '`merge_commit_sha` is removed from pull requests',
    parts: [{ ...removed, field: 'merge_commit_sha', in: ['pull request'], early: 'must' }],
    affects: [...family(17), ...feeds],
    open: onlyInPayloads,
  },
  18: {
    what: 'the dispatch of a workflow returns 200 with the run instead of 204; `return_run_details` is removed',
    parts: [
      { part: 'status', older: 204, newer: 200, early: 'must' },
      { part: 'request', field: 'return_run_details', on: changeEndpoints.dispatchWorkflow, ...notHonoured },
    ],
    affects: [changeEndpoints.dispatchWorkflow],
    open: 'a removed parameter may be ignored or refused (readings V11, V13)',
  },
  19: {
    what: '`assignee` is removed from issues and pull requests, in requests and responses; `assignees` has the same users',
    parts: [
      { ...removed, field: 'assignee', in: ['issue', 'pull request'], early: 'must' },
      { ...kept, field: 'assignees', in: ['issue', 'pull request'] },
      { part: 'request', field: 'assignee', on: familyOf(19, 'PATCH'), ...notHonoured },
    ],
    affects: [...family(19), ...feeds],
    open: `${onlyInPayloads}; a removed parameter may be ignored or refused (readings V13)`,
  },
  20: {
    what: '`selected_repository_ids` accepts only integers',
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
    open: 'what 2022-11-28 does with strings is not shown (readings V14)',
  },
  21: {
    what: '`bundle` is removed from attestation lists; `bundle_url` leads to it',
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
    open: null,
  },
} as const satisfies Readonly<Record<ChangeNumber, ChangeRow>>

function isChangeNumber(number: number): number is ChangeNumber {
  return number in rows
}

/** The 21 changes, in the document's order. */
export const changes: readonly Change[] = Object.entries(rows).flatMap(([key, row]) => {
  const number = Number(key)
  return isChangeNumber(number) ? [{ number, ...row }] : []
})

/** A field that a change removes, or deprecates, from objects of some kinds. */
export interface RemovedField extends Pick<FieldPart, 'field' | 'in' | 'early'> {
  readonly change: ChangeNumber
}

/** The fields that a change removes or deprecates. Throws where it does neither. */
export function removedFields(change: ChangeNumber): readonly [RemovedField, ...RemovedField[]] {
  const parts = partsOf(change, 'field').filter(({ direction }) => direction === 'removed' || direction === 'deprecated')
  const [first, ...others] = parts.map(({ field, in: kinds, early }) => ({ change, field, in: kinds, early }))
  if (!first) throw new Error(`change ${change} removes no field`)
  return [first, ...others]
}

/** How the early absence of a field or value is judged. Throws where it is not judged. */
export function earlyLevel({ early }: { readonly early: Level | 'open' }): Level {
  if (early === 'open') throw new Error('the document does not say what the older version must show')
  return early
}

/** The field that a change names as the one to read instead. Throws where it names none. */
export function replacementOf(change: ChangeNumber): FieldPart {
  const found = partsOf(change, 'field').find(({ direction }) => direction === 'added' || direction === 'kept')
  if (!found) throw new Error(`change ${change} names no replacement`)
  return found
}

/** The only part of a change that is of this kind. Throws where there is none. */
export function partOf<Kind extends ChangePart['part']>(change: ChangeNumber, kind: Kind): PartOf<Kind> {
  const [found] = partsOf(change, kind)
  if (!found) throw new Error(`change ${change} has no part "${kind}"`)
  return found
}

/** The parts of one kind that changes have on an endpoint. */
export function partsOn<Kind extends ChangePart['part']>(endpoint: Endpoint, kind: Kind) {
  const label = endpointLabel(endpoint)
  return changes
    .filter(({ affects }) => affects.some((affected) => endpointLabel(affected) === label))
    .flatMap(({ number }) => partsOf(number, kind).map((part) => ({ change: number, part })))
}

type PartOf<Kind extends ChangePart['part']> = Extract<ChangePart, { readonly part: Kind }>

function partsOf<Kind extends ChangePart['part']>(change: ChangeNumber, kind: Kind): PartOf<Kind>[] {
  const row: ChangeRow = rows[change]
  return row.parts.filter((part): part is PartOf<Kind> => part.part === kind)
}
