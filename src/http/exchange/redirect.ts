import type { Exchange } from './exchange.ts'
import type { RequestSpec } from './request-spec.ts'

/** The most redirects that are followed in a row (readings H7). */
export const redirectLimit = 5

/** True for a response that redirects the caller. */
export function isRedirect({ status }: { readonly status: number }) {
  return [301, 302, 303, 307, 308].includes(status)
}

/**
 * The destination of a redirect over http or https; undefined for any other response and for an unusable Location. Only a redirect to
 * the same origin is followed; one to another origin counts as leading to the same resource (readings C14, C15).
 */
export function redirectTarget(
  response: Exchange,
): { readonly url: URL; readonly sameOrigin: boolean } | undefined {
  const location = response.header('location')
  const { url: source } = response.request
  if (!isRedirect(response) || location === undefined || !URL.canParse(location, source))
    return undefined
  const url = new URL(location, source)
  return /^https?:$/.test(url.protocol)
    ? { url, sameOrigin: url.origin === new URL(source).origin }
    : undefined
}

/**
 * The request that follows a redirect within the origin (readings H7); undefined for the last response, which may be a redirect as well.
 * A GET follows several redirects; other methods follow one 307 or 308, with their body. `hops` counts the redirects followed so far.
 */
export function redirected(
  spec: RequestSpec,
  response: Exchange,
  hops: number,
): RequestSpec | undefined {
  const mostHops = spec.endpoint.method === 'GET' ? redirectLimit : 1
  const target = redirectTarget(response)
  if (hops >= mostHops || !target?.sameOrigin || !isFollowed(spec, response, target.url))
    return undefined
  return {
    ...spec,
    url: target.url.href,
    redirectedFrom: spec.redirectedFrom ?? response.request.url,
  }
}

function isFollowed({ endpoint, direct }: RequestSpec, { status, request }: Exchange, url: URL) {
  // After these two statuses, a client repeats the method and the body.
  if (endpoint.method !== 'GET') return status === 307 || status === 308
  if (!direct) return true
  const path = pathOf(new URL(request.url))
  // A 302 is the documented way to an archive, wherever it is stored.
  return status === 302 ? pathOf(url) === path : pathOf(url).endsWith(path)
}

/**
 * A path without its final slash and its letter case. A redirect that changes only these, or the query, or moves the path below a
 * prefix, is part of the request.
 */
const pathOf = ({ pathname }: URL) => pathname.replace(/\/+$/, '').toLowerCase()
