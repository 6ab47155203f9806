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
  return parametersIn(template, path) !== undefined
}

/** The values of a template's parameters in a concrete path, decoded; undefined where the path is no address of the template. */
export function parametersIn(template: string, path: string): Record<string, string> | undefined {
  const pattern = template
    .split(/(\{[^}]+\})/)
    .map((part) => (part.startsWith('{') ? '([^/]+)' : part.replace(/[.*+?^$()[\]|\\{}]/g, '\\$&')))
    .join('')
  const values = new RegExp(`^${pattern}$`).exec(path)?.slice(1)
  if (values === undefined) return undefined
  return Object.fromEntries(pathParameters(template).map((name, index) => [name, decoded(values[index] ?? '')]))
}

/** A segment without its percent signs, unless they encode nothing. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
