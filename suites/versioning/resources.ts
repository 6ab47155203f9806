import type { Caller } from '../../src/http/caller.ts'
import type { RequestSpec } from '../../src/http/client.ts'
import { changeEndpoints, familyOf } from '../../src/spec/change-endpoints.ts'
import type { Endpoint } from '../../src/spec/endpoint.ts'
import { endpoints } from '../../src/spec/endpoints.ts'
import { firstVersion } from '../../src/spec/versions.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { isObject, itemsOf } from '../../src/suite/located.ts'
import { loginOf, type NeedMap, need, type Resolved, role } from '../../src/suite/needs.ts'
import { declaredSpec, familyNeeds } from './declared.ts'
import { offered } from './offered.ts'
import { listingSpec } from './submodule-type.ts'

/** Something that both versions show and that is compared between them. */
export interface Resource {
  /** The second part of the ids of its checks. */
  readonly operation: string
  readonly endpoint: Endpoint
  readonly needs: NeedMap
  /** What to read; several addresses where a target declares them. */
  readonly specs: (t: CheckContext, needs: any) => RequestSpec[] | Promise<RequestSpec[]>
  /** The change that names the addresses as a family. */
  readonly change?: number
  /** Values, not shapes, that a change names. */
  readonly values?: readonly { readonly change: number; readonly at: string; readonly of: (body: unknown) => string }[]
}

const at = changeEndpoints
const owner = { owner: role('owner') }

function resource<const Needs extends NeedMap>(
  operation: string,
  endpoint: Endpoint,
  needs: Needs,
  params: (needs: Resolved<Needs>) => Readonly<Record<string, string>> = () => ({}),
  more: Partial<Resource> = {},
): Resource {
  const specs = (_: CheckContext, resolved: Resolved<Needs & typeof owner>) => [
    { endpoint, params: params(resolved as Resolved<Needs>), as: resolved.owner as Caller },
  ]
  return { operation, endpoint, needs: { ...owner, ...needs }, specs, ...more }
}

const user = { username: loginOf('owner') }
const repository = { repository: need('public-repository') }
const organization = { organization: need('organization') }
const gist = { gist: need('gist') }

/** As many events as one page may hold, so that events of all types are compared. */
const wholePage = (spec: RequestSpec): RequestSpec => ({ ...spec, query: { per_page: 100 } })

const feeds: readonly Resource[] = [
  resource('public-feed', endpoints.publicEvents, {}),
  resource('network-feed', endpoints.networkEvents, repository, (needs) => needs.repository),
  resource('organization-feed', endpoints.organizationEvents, organization, (needs) => needs.organization),
  resource('repository-feed', endpoints.repositoryEvents, repository, (needs) => needs.repository),
  resource('user-feed', endpoints.userEvents, user, ({ username }) => ({ username })),
  resource('dashboard-feed', endpoints.userOrganizationEvents, { ...user, ...organization }, ({ username, organization }) => ({
    username,
    org: organization.org,
  })),
  resource('user-public-feed', endpoints.userPublicEvents, user, ({ username }) => ({ username })),
  resource('received-feed', endpoints.receivedEvents, user, ({ username }) => ({ username })),
  resource('received-public-feed', endpoints.receivedPublicEvents, user, ({ username }) => ({ username })),
].map((feed) => ({ ...feed, specs: async (t, needs) => (await feed.specs(t, needs)).map(wholePage) }))

/** The first item of a list, by a list that the older version serves; the check ends where there is none. */
async function firstItem(t: CheckContext, endpoint: Endpoint, as: Caller): Promise<Record<string, any>> {
  const spec = { endpoint, query: { per_page: 5 }, as, version: firstVersion }
  const [item] = itemsOf(offered(t, spec, await t.read(spec)))
  return isObject(item?.value) ? item.value : t.untested('the list is empty')
}

const { getThread, listNotifications, listRepositoryNotifications, getMigration, listMigrations, listMigrationRepositories } =
  endpoints

const owned: readonly Resource[] = [
  resource('inbox', listNotifications, {}),
  {
    ...resource('thread', getThread, {}),
    specs: async (t, { owner: as }) => {
      const { id } = await firstItem(t, listNotifications, as)
      return [{ endpoint: getThread, params: { thread_id: String(id) }, as }]
    },
  },
  {
    ...resource('repository-inbox', listRepositoryNotifications, {}),
    specs: async (t, { owner: as }) => {
      const { repository } = await firstItem(t, listNotifications, as)
      const [owner = '', repo = ''] = String(isObject(repository) ? repository.full_name : '').split('/')
      return [{ endpoint: listRepositoryNotifications, params: { owner, repo }, as }]
    },
  },
  resource('migrations', listMigrations, {}),
  ...[getMigration, listMigrationRepositories].map((endpoint, index) => ({
    ...resource(index === 0 ? 'migration' : 'migration-repositories', endpoint, {}),
    specs: async (t: CheckContext, { owner: as }: { owner: Caller }) => {
      const { id } = await firstItem(t, listMigrations, as)
      return [{ endpoint, params: { migration_id: String(id) }, as }]
    },
  })),
]

const inGist = ({ gist: { gist_id } }: Resolved<typeof gist>) => ({ gist_id })

const named: readonly Resource[] = [
  resource('root', at.root, {}),
  resource('rate-limit', at.rateLimit, {}),
  {
    ...resource('contents', at.contents, { listing: need('submodule-listing') }),
    specs: (_, { owner: as, listing }) => [listingSpec({ reader: as, listing })],
    values: [{ change: 3, at: '/*/type', of: (body) => wordsOf(body, 'type') }],
  },
  resource('default-setup', at.defaultSetup, { repository: need('default-setup') }, (needs) => needs.repository, {
    values: [{ change: 11, at: '/languages', of: (body) => wordsOf(isObject(body) ? body.languages : undefined) }],
  }),
  resource('user-subscriptions', at.userSubscriptions, {}),
  resource('organization', at.organization, organization, (needs) => needs.organization),
  resource('gists', at.gists, {}),
  resource('public-gists', at.publicGists, {}),
  resource('starred-gists', at.starredGists, {}),
  resource('user-gists', at.userGists, user, ({ username }) => ({ username })),
  resource('gist', at.gist, gist, inGist),
  resource('gist-forks', at.gistForks, gist, inGist),
  resource('gist-revision', at.gistRevision, gist, ({ gist: { gist_id, sha } }) => ({ gist_id, sha: sha ?? 'unknown' })),
  ...Object.entries({
    'organization-attestations': at.orgAttestations,
    'repository-attestations': at.repositoryAttestations,
    'user-attestations': at.userAttestations,
  }).map(([operation, endpoint]) => resource(operation, endpoint, { subject: need('attestation') }, ({ subject }) => subject)),
]

/** The addresses of a family that are read, each compared on its own. */
function family(operation: string, change: number, more: Partial<RequestSpec> = {}): Resource {
  return {
    operation,
    endpoint: familyOf(change),
    needs: familyNeeds(change),
    change,
    specs: (t, needs) =>
      needs.family.requests
        .filter(({ method }: { method: string }) => method === 'GET')
        .map((request: any) => ({ ...declaredSpec(t, needs, change, request), ...more })),
  }
}

const families: readonly Resource[] = [
  family('analysis', 4, { accept: 'application/sarif+json' }),
  family('repositories', 5),
  family('downloads', 12),
  family('advisories', 15),
  family('organization-migrations', 16),
  family('pull-requests', 17),
  family('issues', 19),
]

/** Everything that is compared between the versions. */
export const resources: readonly Resource[] = [...feeds, ...owned, ...named, ...families]

/** The distinct words of a list, or of a member of its items. */
function wordsOf(list: unknown, name?: string): string {
  const items = Array.isArray(list) ? list : []
  const words = items.map((item) => (name === undefined ? item : isObject(item) ? item[name] : undefined))
  return [...new Set(words.map(String))].sort().join(', ')
}
