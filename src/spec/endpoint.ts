/** The five parts of the document that are judged, in its order. */
export const areas = ['events', 'notifications', 'migrations', 'permissions', 'versioning'] as const

export type Area = (typeof areas)[number]

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export type Method = (typeof methods)[number]

/**
 * One row of the document's endpoint tables.
 * `path` is a template such as `/orgs/{org}/events`. Where the document does not show the path it is null,
 * and `configuredPath` names the member of `target.paths` that supplies it.
 */
export interface Endpoint {
  readonly section: string
  readonly method: Method
  readonly path: string | null
  readonly configuredPath?: 'downloadArchive'
  /** The success statuses, each with the name of its body's schema, or null where there is no body. */
  readonly success: Readonly<Record<number, string | null>>
  /** The other statuses that the row lists. */
  readonly others: readonly number[]
  readonly paging?: Paging
}

/** Page sizes of a list: what an absent `per_page` means and the most that one page may hold. */
export interface Paging {
  readonly default: number
  readonly max: number
}

/** How an endpoint is named in reports, claims and the command line: `GET /events`. */
export function endpointLabel(endpoint: Pick<Endpoint, 'method' | 'path' | 'configuredPath'>): string {
  return `${endpoint.method} ${endpoint.path ?? `(target.paths.${endpoint.configuredPath})`}`
}

/** The names in a path template, in order: `/orgs/{org}/events` has `org`. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] as string)
}

/** True when a concrete path (no query) is an address of the template. */
export function pathMatches(template: string, path: string): boolean {
  const wanted = template.split('/')
  const given = path.split('/')
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => (part.startsWith('{') ? given[index] !== '' : part === given[index]))
  )
}
