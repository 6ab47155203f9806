import type { DeclaredRequest } from '../../spec/needs.ts'

type Declared = DeclaredRequest & { readonly change?: number }

/**
 * The requests of the need `version-request`, in whichever form it is given: one request, a list of them, or
 * `{ requests }`; each may name the change that it is for. Undefined where none is for the change that is asked for.
 */
export function declaredRequests(given: unknown, change: number | undefined): { requests: DeclaredRequest[] } | undefined {
  const requests = flatten(given)
    .filter((request) => change === undefined || (request.change ?? change) === change)
    .map(({ change: _, ...request }) => request)
  return requests.length === 0 ? undefined : { requests }
}

function flatten(given: unknown): Declared[] {
  if (Array.isArray(given)) return given.flatMap(flatten)
  if (typeof given !== 'object' || given === null) return []
  if (!('requests' in given)) return [given as Declared]
  const { requests, change } = given as { requests: Declared[]; change?: number }
  return requests.map((request) => (change === undefined ? request : { change, ...request }))
}
