/** The five parts of the document that are judged, in its order. */
export const areas = ['events', 'notifications', 'migrations', 'permissions', 'versioning'] as const
/** One of the five {@link areas}. */
export type Area = (typeof areas)[number]

/** The request methods of the document. */
export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
/** One of the request {@link methods}. */
export type Method = (typeof methods)[number]

/** A row of the endpoint tables. `path` is a template. If it is null, `configuredPath` is the name of a member of `target.paths`. */
export interface Endpoint {
  readonly section: string
  readonly method: Method
  readonly path: string | null
  readonly configuredPath?: 'downloadArchive'
  /** The success statuses, each with the name of its body's schema, or null if there is no body. */
  readonly success: Readonly<Record<number, string | null>>
  /** The other statuses that the row lists. */
  readonly others: readonly number[]
  readonly paging?: Paging
}

/** Page sizes of a list: the default of `per_page` and the most items on one page. */
export interface Paging {
  readonly default: number
  readonly max: number
}

/** How an endpoint is named in reports, claims and the command line: `GET /events`. */
export function endpointLabel(
  endpoint: Pick<Endpoint, 'method' | 'path' | 'configuredPath'>,
): string {
  return `${endpoint.method} ${endpoint.path ?? `(target.paths.${endpoint.configuredPath})`}`
}

/** The names in a path template, in order: `/orgs/{org}/events` has `org`. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] as string)
}

/** True when a concrete path (no query) is an address of the template. */
export function pathMatches(template: string, path: string): boolean {
  return parametersIn(template, path) !== undefined
}

/** The values of a template's parameters in a concrete path, decoded; undefined if the path is no address of the template. */
export function parametersIn(template: string, path: string): Record<string, string> | undefined {
  const pattern = template
    .split(/(\{[^}]+\})/)
    .map((part) => (part.startsWith('{') ? '([^/]+)' : part.replace(/[.*+?^$()[\]|\\{}]/g, '\\$&')))
    .join('')
  const values = new RegExp(`^${pattern}$`).exec(path)?.slice(1)
  if (values === undefined) return undefined
  return Object.fromEntries(
    pathParameters(template).map((name, index) => [name, decoded(values[index] ?? '')]),
  )
}

/** A segment with its percent-encoding decoded; an invalid one stays as it is. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

const pages30 = { default: 30, max: 100 }
const feed = {
  section: 'Endpoints, Event feeds',
  method: 'GET',
  success: { 200: 'event[]' },
} as const
const notification = { section: 'Endpoints, Notifications' } as const
const migration = { section: 'Endpoints, User migrations' } as const

// biome-ignore format: the columns are read against the document's tables
/** The 26 endpoints of the tables of the document (section Endpoints). @internal */
export const endpoints = {
  publicEvents:           { ...feed, path: '/events',                                  others: [304, 403, 503],      paging: { default: 15, max: 100 } },
  networkEvents:          { ...feed, path: '/networks/{owner}/{repo}/events',          others: [301, 304, 403, 404], paging: pages30 },
  organizationEvents:     { ...feed, path: '/orgs/{org}/events',                       others: [],                   paging: pages30 },
  repositoryEvents:       { ...feed, path: '/repos/{owner}/{repo}/events',             others: [],                   paging: pages30 },
  userEvents:             { ...feed, path: '/users/{username}/events',                 others: [],                   paging: pages30 },
  userOrganizationEvents: { ...feed, path: '/users/{username}/events/orgs/{org}',      others: [],                   paging: pages30 },
  userPublicEvents:       { ...feed, path: '/users/{username}/events/public',          others: [],                   paging: pages30 },
  receivedEvents:         { ...feed, path: '/users/{username}/received_events',        others: [],                   paging: pages30 },
  receivedPublicEvents:   { ...feed, path: '/users/{username}/received_events/public', others: [],                   paging: pages30 },

  listNotifications:      { ...notification, method: 'GET',    path: '/notifications',                                  success: { 200: 'thread[]' },             others: [304, 401, 403, 422], paging: { default: 50, max: 50 } },
  markNotificationsRead:  { ...notification, method: 'PUT',    path: '/notifications',                                  success: { 202: 'message', 205: null },   others: [304, 401, 403] },
  getThread:              { ...notification, method: 'GET',    path: '/notifications/threads/{thread_id}',              success: { 200: 'thread' },               others: [304, 401, 403] },
  markThreadRead:         { ...notification, method: 'PATCH',  path: '/notifications/threads/{thread_id}',              success: { 205: null },                   others: [304, 403] },
  markThreadDone:         { ...notification, method: 'DELETE', path: '/notifications/threads/{thread_id}',              success: { 204: null },                   others: [] },
  getSubscription:        { ...notification, method: 'GET',    path: '/notifications/threads/{thread_id}/subscription', success: { 200: 'thread-subscription' },  others: [304, 401, 403] },
  setSubscription:        { ...notification, method: 'PUT',    path: '/notifications/threads/{thread_id}/subscription', success: { 200: 'thread-subscription' },  others: [304, 401, 403] },
  deleteSubscription:     { ...notification, method: 'DELETE', path: '/notifications/threads/{thread_id}/subscription', success: { 204: null },                   others: [304, 401, 403] },
  listRepositoryNotifications:     { ...notification, method: 'GET', path: '/repos/{owner}/{repo}/notifications',       success: { 200: 'thread[]' },             others: [], paging: pages30 },
  markRepositoryNotificationsRead: { ...notification, method: 'PUT', path: '/repos/{owner}/{repo}/notifications',       success: { 202: 'message', 205: null },   others: [] },

  listMigrations:            { ...migration, method: 'GET',    path: '/user/migrations',                                       success: { 200: 'migration[]' },  others: [304, 401, 403], paging: pages30 },
  startMigration:            { ...migration, method: 'POST',   path: '/user/migrations',                                       success: { 201: 'migration' },    others: [304, 401, 403, 422] },
  getMigration:              { ...migration, method: 'GET',    path: '/user/migrations/{migration_id}',                        success: { 200: 'migration' },    others: [304, 401, 403, 404] },
  downloadArchive:           { ...migration, method: 'GET',    path: null, configuredPath: 'downloadArchive',                  success: { 302: null },           others: [304, 401, 403] },
  deleteArchive:             { ...migration, method: 'DELETE', path: '/user/migrations/{migration_id}/archive',                success: { 204: null },           others: [304, 401, 403, 404] },
  unlockRepository:          { ...migration, method: 'DELETE', path: '/user/migrations/{migration_id}/repos/{repo_name}/lock', success: { 204: null },           others: [304, 401, 403, 404] },
  listMigrationRepositories: { ...migration, method: 'GET',    path: '/user/migrations/{migration_id}/repositories',           success: { 200: 'migration-repository[]' }, others: [404], paging: pages30 },
} as const satisfies Record<string, Endpoint>

/** The usual address of a caller's own account. The document does not name it, so that `claims.except` may leave it out. @internal */
export const ownAccount = { method: 'GET', path: '/user' } as const
