import { anonymous, type Caller } from '../http/exchange/caller.ts'
import type { Exchange } from '../http/exchange/exchange.ts'
import type { EndpointRef } from '../http/exchange/request-spec.ts'
import { unlessEnded, withDeadline } from '../http/transport/time/budget.ts'
import type { Session } from '../run/judge/session.ts'
import { endpointLabel } from '../spec/endpoints.ts'
import { isObject } from '../suite/located.ts'
import { messageOf } from '../text/errors.ts'

/** The response of one address, or the reason for its absence. */
interface Attempt {
  readonly sentence: string
  readonly response?: Exchange
  /** The address accepted the request and sent no response in time. Requests to other addresses would take minutes. */
  readonly silent?: boolean
}

/** The failed search for an API at the base URL. */
export type NoApi = ReturnType<typeof failure>

/** Addresses without parameters, in the order in which they are tried after the dialect's probe: the document's own lists first. */
const usual = [
  '/events',
  '/notifications',
  '/user/migrations',
  '/rate_limit',
  '/gists',
  '/versions',
  '/',
]

/** Requests one endpoint after the other, without a token and as the given caller, until an API responds. */
export async function findApi(
  { client, dialect, signal, options: { config } }: Session,
  offered: readonly EndpointRef[],
  caller: Caller | undefined,
  atMost = 12,
): Promise<{ readonly found: Attempt } | NoApi> {
  const wanted: EndpointRef[] = [
    dialect.probe,
    ...usual.map((path) => ({ method: 'GET', path }) as const),
    ...offered,
  ]
  const plain = wanted.filter(({ method, path }) => method === 'GET' && path && !path.includes('{'))
  const distinct = new Map(plain.map((endpoint) => [endpointLabel(endpoint), endpoint]))
  const addresses = [...distinct]
    .filter(([label]) => !config.claims.except.includes(label))
    .slice(0, atMost)
  const failed: Attempt[] = []
  const tries = [anonymous, ...(caller ? [caller] : [])].flatMap((as) =>
    addresses.map(([label, endpoint]) => ({ label, endpoint, as })),
  )
  for (const { label, endpoint, as } of tries) {
    const attempt = await within(
      config.limits.timeoutSeconds * patience,
      signal,
      label,
      client.send({ endpoint, as }),
    )
    if (attempt.response && isFromApi(endpoint, attempt.response)) return { found: attempt }
    failed.push(attempt)
    if (attempt.silent) break
  }
  return failure(failed, addresses.length)
}

/** The first responses as one text, whether the last address was silent, and whether every response was a server error. Responses to the second caller are not shown. */
function failure(failed: readonly Attempt[], asked: number) {
  const shown = failed.slice(0, Math.min(asked, 3)).map(({ sentence }) => sentence)
  const silent = failed.at(-1)?.silent ?? false
  const unavailable =
    silent || failed.every(({ response }) => response === undefined || response.status >= 500)
  return { found: undefined, responses: shown.join(', '), unavailable, silent }
}

/** How long one address may take, retries included, as a multiple of the time that a request has. */
const patience = 2

function within(
  seconds: number,
  signal: AbortSignal,
  label: string,
  sent: Promise<Exchange>,
): Promise<Attempt> {
  const attempt = sent.then(
    (response) => ({
      sentence: `${label} returned ${response.status}${isPage(response) ? ' (a web page)' : ''}`,
      response,
    }),
    (error: unknown) => ({ sentence: messageOf(error) }),
  )
  const silence = { sentence: `${label} returned nothing within ${seconds} s`, silent: true }
  const inTime = withDeadline(seconds * 1000, signal, (ending) => unlessEnded(ending, attempt))
  return inTime.catch(() => silence)
}

const isPage = (response: Exchange) => (response.header('content-type') ?? '').includes('html')

/** True for JSON and for the refusals of an API; a page of a website and an unknown address are neither. */
function isFromApi({ path }: EndpointRef, response: Exchange) {
  const { status, json } = response
  if (isPage(response) || status === 404 || status === 410 || status >= 500) return false
  if (status >= 400) return true
  if (status >= 300 && status !== 304) return false
  // Any server may respond at its root; the API's root lists addresses.
  if (path === '/') return isObject(json) && Object.keys(json).some((key) => key.endsWith('_url'))
  return (typeof json === 'object' && json !== null) || status === 204 || status === 304
}

/** Prefixes under which such an API is often mounted. */
const usualPrefixes = ['', '/api/v3', '/api', '/v3', '/api/v1']

/** The base URL of an API at another path of the same host, as a hint after a wrong path; undefined if none is found. */
export async function findPrefix(
  baseUrl: string,
  open: (baseUrl: string) => Promise<Session>,
): Promise<string | undefined> {
  const { origin, pathname } = new URL(baseUrl)
  const own = pathname.replace(/\/+$/, '')
  const steps = own.split('/').map((_, index, all) => all.slice(0, index + 1).join('/'))
  for (const prefix of new Set([...steps.reverse(), ...usualPrefixes])) {
    if (prefix === own) continue
    const session = await open(`${origin}${prefix}`)
    const { found } = await findApi(session, [], undefined, 3).finally(() => session.client.close())
    if (found) return `${origin}${prefix}`
  }
  return undefined
}
