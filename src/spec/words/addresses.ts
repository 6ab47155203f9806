import { remembered } from '../../text/data.ts'
import { changeEndpoints } from '../changes/changes.ts'
import { type Endpoint, endpoints, type Method, pathMatches, pathParameters } from '../endpoints.ts'
import { permissionRows } from '../permissions/permissions.ts'

/** Every address of the document by method: the endpoints, those of the changes, and the rows of the permission matrix. */
export const templates: readonly { readonly method: Method; readonly path: string }[] = [
  ...Object.values<Endpoint>(endpoints),
  ...Object.values<Endpoint>(changeEndpoints),
  ...permissionRows,
].flatMap(({ method, path }) => (path === null ? [] : [{ method, path }]))

/** The beginning of the addresses that a run invents because no target has them. */
export const inventedAddress = '/conformance/nowhere-'

const mostExactFirst = templates.toSorted(
  (a, b) => pathParameters(a.path).length - pathParameters(b.path).length,
)

const known = new Map<string, string>()

/** The endpoint that a request is counted with: `GET /gists/{gist_id}` for `GET /gists/7`. Addresses of needs count together. */
export function countedAs(label: string) {
  return remembered(known, label, () => templateOf(label))
}

function templateOf(label: string) {
  const [method = '', path = ''] = label.split(' ')
  if (!path.startsWith('/') || path.includes('{')) return label
  if (path.startsWith(inventedAddress)) return `${method} (addresses that do not exist)`
  const documented = mostExactFirst.find(
    (each) => each.method === method && pathMatches(each.path, path),
  )
  return documented ? `${method} ${documented.path}` : `${method} (addresses of the test data)`
}
