import { changeEndpoints } from './change-endpoints.ts'
import { type Endpoint, type Method, pathMatches, pathParameters } from './endpoint.ts'
import { endpoints } from './endpoints.ts'
import { permissionRows } from './permissions.ts'

/** Where the addresses begin that a run invents because no target has them. */
export const inventedAddress = '/conformance/nowhere-'

/** The documented paths with parameters, the most exact ones first. */
const templates: readonly { readonly method: Method; readonly path: string }[] = [
  ...Object.values<Endpoint>(endpoints),
  ...permissionRows,
  ...Object.values<Endpoint>(changeEndpoints),
]
  .flatMap(({ method, path }) => (path ? [{ method, path }] : []))
  .toSorted((a, b) => pathParameters(a.path).length - pathParameters(b.path).length)

const known = new Map<string, string>()

/**
 * The endpoint that a request is counted with. One to an address that a need named, such as `GET /gists/7`, belongs to
 * the documented endpoint of that address, `GET /gists/{gist_id}`, or to all that the document does not know.
 */
export function countedAs(label: string): string {
  const counted = known.get(label) ?? foldedLabel(label)
  known.set(label, counted)
  return counted
}

function foldedLabel(label: string): string {
  const [method = '', path = ''] = label.split(' ')
  if (!path.startsWith('/') || path.includes('{')) return label
  if (path.startsWith(inventedAddress)) return `${method} (addresses that do not exist)`
  const documented = templates.find((each) => each.method === method && pathMatches(each.path, path))
  return documented ? `${method} ${documented.path}` : otherAddress(label)
}

/** What requests to addresses are counted with that only a need names. */
export function otherAddress(label: string): string {
  return `${label.split(' ')[0]} (addresses of the test data)`
}
