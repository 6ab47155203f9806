import type { Exchange } from './exchange.ts'
import type { RequestSpec } from './request-spec.ts'

const statuses: readonly number[] = [301, 302, 303, 307, 308]

/** The most redirects that are followed in a row (readings H7). */
export const redirectLimit = 5

/** True for a response that redirects the caller. */
export function isRedirect({ status }: { readonly status: number }): boolean {
  return statuses.includes(status)
}

/** The destination of a redirect over http or https. */
export interface RedirectTarget {
  readonly url: URL
  /** Only such redirects are followed; one to another origin counts as leading to the same resource (readings C14, C15). */
  readonly sameOrigin: boolean
}

/** The destination of a redirect; undefined for any other response and for an unusable Location. */
export function redirectTarget(answer: Exchange): RedirectTarget | undefined {
  const location = answer.header('location')
  const { url: source } = answer.request
  if (!isRedirect(answer) || location === undefined || !URL.canParse(location, source)) return undefined
  const url = new URL(location, source)
  return /^https?:$/.test(url.protocol) ? { url, sameOrigin: url.origin === new URL(source).origin } : undefined
}

/**
 * Sends a request and, for a GET that is not `direct`, follows redirects within its origin (readings H7). Returns the last response: a
 * redirect to another origin, without a usable Location or beyond the limit is returned as it is. `onAnswer` receives every response.
 */
export async function followRedirects(
  spec: RequestSpec,
  send: (spec: RequestSpec) => Promise<Exchange>,
  onAnswer: (answer: Exchange) => void = () => {},
): Promise<Exchange> {
  const mostHops = spec.direct || spec.endpoint.method !== 'GET' ? 0 : redirectLimit
  for (let hops = 0, next = spec; ; hops += 1) {
    const answer = await send(next)
    onAnswer(answer)
    const target = redirectTarget(answer)
    if (hops >= mostHops || !target?.sameOrigin) return answer
    next = { ...spec, url: target.url.href }
  }
}
