import { readData } from '../package/data-file.ts'

/** The five parts of the document that are judged, in its order. */
export const areas = ['events', 'notifications', 'migrations', 'permissions', 'versioning'] as const
/** One of the five {@link areas}. */
export type Area = (typeof areas)[number]

/** The request methods of the document. */
export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
/** One of the request {@link methods}. */
export type Method = (typeof methods)[number]

/** A row of the endpoint tables. `path` is a template. It is null for the archives, whose address the configuration states (`target.paths`). */
export interface Endpoint {
  readonly section: string
  readonly method: Method
  readonly path: string | null
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
export function endpointLabel(endpoint: Pick<Endpoint, 'method' | 'path'>) {
  return `${endpoint.method} ${endpoint.path ?? '(download archive)'}`
}

/** The names in a path template, in order: `/orgs/{org}/events` has `org`. */
export function pathParameters(path: string) {
  return [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] as string)
}

/** True when a concrete path (no query) is an address of the template. */
export function pathMatches(template: string, path: string) {
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
function decoded(segment: string) {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

type ListName =
  | 'publicEvents'
  | 'networkEvents'
  | 'organizationEvents'
  | 'repositoryEvents'
  | 'userEvents'
  | 'userOrganizationEvents'
  | 'userPublicEvents'
  | 'receivedEvents'
  | 'receivedPublicEvents'
  | 'listNotifications'
  | 'listRepositoryNotifications'
  | 'listMigrations'
  | 'listMigrationRepositories'

type PlainName =
  | 'markNotificationsRead'
  | 'getThread'
  | 'markThreadRead'
  | 'markThreadDone'
  | 'getSubscription'
  | 'setSubscription'
  | 'deleteSubscription'
  | 'markRepositoryNotificationsRead'
  | 'startMigration'
  | 'getMigration'
  | 'deleteArchive'
  | 'unlockRepository'

/** An endpoint whose path the document states. */
export type WithPath = Endpoint & { readonly path: string }
type List = WithPath & { readonly paging: Paging }

/** The download alone has no path: it is configured. */
type Endpoints = Record<ListName, List> &
  Record<PlainName, WithPath> &
  Record<'downloadArchive', Endpoint>

type Row = Omit<Endpoint, 'section' | 'others'> & { readonly others?: readonly number[] }

/** The endpoints by the section of the document that lists them. */
const sections: Readonly<Record<string, Readonly<Record<string, Row>>>> =
  readData('src/spec/endpoints.yaml')

/** The endpoints of all sections whose name has this beginning, by their names in `endpoints.yaml`. */
export function endpointsOf<Table>(beginning: string): Readonly<Table> {
  const listed = Object.entries(sections).filter(([section]) => section.startsWith(beginning))
  const rows = listed.flatMap(([section, table]) =>
    Object.entries(table).map(([name, row]) => [name, { section, others: [], ...row }]),
  )
  return Object.fromEntries(rows)
}

/** The 26 endpoints of the tables of the document (section Endpoints). @internal */
export const endpoints = endpointsOf<Endpoints>('Endpoints')

/** The usual address of a caller's own account. The document does not name it, so that `claims.except` may leave it out. @internal */
export const ownAccount = { method: 'GET', path: '/user' } as const
