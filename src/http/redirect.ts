import type { Exchange } from './exchange.ts'

const redirects: readonly number[] = [301, 302, 303, 307, 308]

/** True for an answer that sends the caller elsewhere. */
export function isRedirect(answer: Exchange): boolean {
  return redirects.includes(answer.status)
}

/** Where a redirect leads, when that is on the origin that sent it; else undefined. */
export function redirectWithin(answer: Exchange): string | undefined {
  const location = answer.header('location')
  if (!isRedirect(answer) || location === undefined || !URL.canParse(location, answer.request.url)) return undefined
  const target = new URL(location, answer.request.url)
  return target.origin === new URL(answer.request.url).origin ? target.href : undefined
}

/** Where a redirect leads, on any origin, over http or https; else undefined. */
export function redirectTarget(answer: Exchange): URL | undefined {
  const location = answer.header('location')
  if (!isRedirect(answer) || location === undefined || !URL.canParse(location, answer.request.url)) return undefined
  const target = new URL(location, answer.request.url)
  return /^https?:$/.test(target.protocol) ? target : undefined
}
