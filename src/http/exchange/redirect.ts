import type { RequestSpec } from '../client.ts'
import type { Exchange } from './exchange.ts'

const redirects: readonly number[] = [301, 302, 303, 307, 308]

/** True for a status that sends the caller elsewhere. */
export function isRedirectStatus(status: number): boolean {
  return redirects.includes(status)
}

/** The most redirects that are followed in a row (readings H7). */
export const redirectLimit = 5

/** True for an answer that sends the caller elsewhere. */
export function isRedirect(answer: Exchange): boolean {
  return isRedirectStatus(answer.status)
}

/** Where a redirect leads, when that is on the origin that sent it; else undefined. */
export function redirectWithin(answer: Exchange): string | undefined {
  const target = locationOf(answer)
  return target?.origin === new URL(answer.request.url).origin ? target.href : undefined
}

/** Where a redirect leads, on any origin, over http or https; else undefined. */
export function redirectTarget(answer: Exchange): URL | undefined {
  const target = locationOf(answer)
  return target && /^https?:$/.test(target.protocol) ? target : undefined
}

/**
 * Sends a request and, where it is a GET that is not `direct`, follows redirects within the origin: the one place that does (readings H7).
 * Resolves to the last answer, which is a redirect where that leads elsewhere, nowhere or too far.
 */
export async function sendFollowing(spec: RequestSpec, send: (spec: RequestSpec) => Promise<Exchange>): Promise<Exchange> {
  let answer = await send(spec)
  if (spec.direct || spec.endpoint.method !== 'GET') return answer
  for (let hops = 0; hops < redirectLimit; hops += 1) {
    const url = redirectWithin(answer)
    if (url === undefined) break
    answer = await send({ ...spec, url })
  }
  return answer
}

function locationOf(answer: Exchange): URL | undefined {
  const location = answer.header('location')
  if (!isRedirect(answer) || location === undefined || !URL.canParse(location, answer.request.url)) return undefined
  return new URL(location, answer.request.url)
}

/** True for a redirect to another origin: it is not followed, and taken as leading to the same resource (readings C14, C15). */
export function leadsToAnotherHost(answer: Exchange): boolean {
  const target = redirectTarget(answer)
  return target !== undefined && target.origin !== new URL(answer.request.url).origin
}
