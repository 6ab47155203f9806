import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import {
  type ChangeNumber,
  changeEndpoints,
  familyOf,
  partOf,
} from '../../../src/spec/changes/changes.ts'
import { type Endpoint, endpoints } from '../../../src/spec/endpoints.ts'
import { firstVersion } from '../../../src/spec/versions.ts'
import { type Check, operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject, itemsOf } from '../../../src/suite/located.ts'
import { loginOf, type NeedMap, need, type Resolved, role } from '../../../src/suite/needs.ts'
import { exportedMigration } from '../../common/served.ts'
import { attestationNeeds, attestationSpec, specOf } from '../common/change-row.ts'
import { declaredSpec, familyNeeds } from '../common/declared.ts'
import { expectOffered, listingSpec } from '../common/requests.ts'

/** Judges the responses to some requests in both versions. */
type Judge = (t: CheckContext, specs: readonly RequestSpec[]) => Promise<void>

/** A resource that both versions return and that is compared between them. */
export interface Resource {
  /** The second part of the ids of its checks. */
  readonly name: string
  readonly endpoint: Endpoint
  /** Defines a check across the versions. A resource has several addresses if a target declares them. */
  readonly check: (
    aspect: string,
    title: string,
    own: Pick<Check, 'requirement' | 'level'>,
    judge: Judge,
  ) => Check
}

const user = { username: loginOf('owner') }
const repository = { repository: need('public-repository') }
const organization = { organization: need('organization') }
const gist = { gist: need('gist') }

/** A resource whose requests depend on its needs. `specsOf` makes the requests. */
function resource<const Needs extends NeedMap, const Also extends NeedMap>(
  name: string,
  endpoint: Endpoint,
  needs: Needs,
  also: Also,
  specsOf: (
    t: CheckContext,
    needs: Resolved<Needs>,
    also: Resolved<Also>,
  ) => Promise<readonly RequestSpec[]>,
): Resource {
  const across = operation({
    id: `versioning.${name}`,
    endpoint,
    needs,
    level: 'must',
    schedule: 'across',
  })
  return {
    name,
    endpoint,
    check: (aspect, title, own, judge) =>
      across.check(aspect, title, { ...own, also }, async (t, resolved, others) =>
        judge(t, await specsOf(t, resolved, others)),
      ),
  }
}

/** A resource that the owner reads. Its address has the values of the needs; `more` replaces some of them. */
function ownerReads<const Needs extends NeedMap>(
  name: string,
  endpoint: Endpoint,
  needs: Needs,
  more: (
    t: CheckContext,
    as: Caller,
    needs: Resolved<Needs>,
  ) => Promise<Partial<RequestSpec>> = async () => ({}),
) {
  const as = { owner: role('owner') }
  return resource(name, endpoint, needs, as, async (t, resolved, { owner }) => [
    { ...specOf(endpoint, { ...resolved, owner }), ...(await more(t, owner, resolved)) },
  ])
}

/** The largest page of events, so that events of all types are compared. */
const largest = async () => ({ query: { per_page: 100 } })

const feeds: readonly Resource[] = [
  ownerReads('public-feed', endpoints.publicEvents, {}, largest),
  ownerReads('network-feed', endpoints.networkEvents, repository, largest),
  ownerReads('organization-feed', endpoints.organizationEvents, organization, largest),
  ownerReads('repository-feed', endpoints.repositoryEvents, repository, largest),
  ownerReads('user-feed', endpoints.userEvents, user, largest),
  ownerReads(
    'dashboard-feed',
    endpoints.userOrganizationEvents,
    { ...user, ...organization },
    largest,
  ),
  ownerReads('user-public-feed', endpoints.userPublicEvents, user, largest),
  ownerReads('received-feed', endpoints.receivedEvents, user, largest),
  ownerReads('received-public-feed', endpoints.receivedPublicEvents, user, largest),
]

/** The first item of a list under the older version. Ends the check if there is none. */
async function firstItem(t: CheckContext, endpoint: Endpoint, as: Caller) {
  const spec = { endpoint, query: { per_page: 5 }, as, version: firstVersion }
  const [item] = itemsOf(expectOffered(t, spec, await t.read(spec)))
  return isObject(item?.value) ? item.value : t.untested('the list is empty')
}

const { listNotifications, listMigrations } = endpoints

/** The largest page of migrations: the run itself starts some without repositories, which are at the top of the list. */
const wholePage = { per_page: listMigrations.paging.max }

async function oneMigration(t: CheckContext, as: Caller) {
  const spec = { endpoint: listMigrations, query: wholePage, as, version: firstVersion }
  const migration =
    exportedMigration(itemsOf(expectOffered(t, spec, await t.read(spec)))) ??
    t.untested('the list is empty')
  return { params: { migration_id: String(migration.id) } }
}

const inboxAndMigrations: readonly Resource[] = [
  ownerReads('inbox', listNotifications, {}),
  ownerReads('thread', endpoints.getThread, {}, async (t, as) => {
    const { id } = await firstItem(t, listNotifications, as)
    return { params: { thread_id: String(id) } }
  }),
  ownerReads('repository-inbox', endpoints.listRepositoryNotifications, {}, async (t, as) => {
    const { repository } = await firstItem(t, listNotifications, as)
    const [owner, repo] = String(isObject(repository) ? repository.full_name : '').split('/')
    return owner && repo
      ? { params: { owner, repo } }
      : t.untested('the first thread names no repository by owner and name')
  }),
  ownerReads('migrations', listMigrations, {}, async () => ({ query: wholePage })),
  ownerReads('migration', endpoints.getMigration, {}, oneMigration),
  ownerReads('migration-repositories', endpoints.listMigrationRepositories, {}, oneMigration),
]

const changedEndpoints: readonly Resource[] = [
  ownerReads('root', changeEndpoints.root, {}),
  ownerReads('rate-limit', changeEndpoints.rateLimit, {}),
  ownerReads(
    'contents',
    changeEndpoints.contents,
    { listing: need('submodule-listing') },
    async (_, reader, { listing }) => listingSpec(reader, listing),
  ),
  ownerReads('default-setup', changeEndpoints.defaultSetup, { repository: need('default-setup') }),
  ownerReads('user-subscriptions', changeEndpoints.userSubscriptions, {}),
  ownerReads('organization', changeEndpoints.organization, organization),
  ownerReads('gists', changeEndpoints.gists, {}),
  ownerReads('public-gists', changeEndpoints.publicGists, {}),
  ownerReads('starred-gists', changeEndpoints.starredGists, {}),
  ownerReads('user-gists', changeEndpoints.userGists, user),
  ownerReads('gist', changeEndpoints.gist, gist),
  ownerReads('gist-forks', changeEndpoints.gistForks, gist),
  ownerReads(
    'gist-revision',
    changeEndpoints.gistRevision,
    gist,
    async (_t, _as, { gist: { gist_id, sha = 'unknown' } }) => ({ params: { gist_id, sha } }),
  ),
  ...Object.entries({
    'organization-attestations': changeEndpoints.orgAttestations,
    'repository-attestations': changeEndpoints.repositoryAttestations,
    'user-attestations': changeEndpoints.userAttestations,
  }).map(([operation, endpoint]) =>
    ownerReads(operation, endpoint, attestationNeeds, async (t, owner, known) =>
      attestationSpec(t, { ...known, owner }, endpoint),
    ),
  ),
]

/** The addresses of a family that are read, each compared on its own. */
function family(name: string, change: ChangeNumber, more: Partial<RequestSpec> = {}) {
  return resource(name, familyOf(change), familyNeeds(change), {}, async (t, resolved) =>
    resolved.family.requests
      .filter(({ method }) => method === 'GET')
      .map((request) => ({ ...declaredSpec(t, resolved, change, request), ...more })),
  )
}

const families: readonly Resource[] = [
  family('analysis', 4, { accept: partOf(4, 'media-type').newer }),
  family('repositories', 5),
  family('downloads', 12),
  family('advisories', 15),
  family('organization-migrations', 16),
  family('pull-requests', 17),
  family('issues', 19),
]

/** The resources that are compared between the versions. */
export const resources: readonly Resource[] = [
  ...feeds,
  ...inboxAndMigrations,
  ...changedEndpoints,
  ...families,
]
