import type { EndpointRef } from '../http/client.ts'
import { anonymous, type Caller } from '../http/exchange/caller.ts'
import type { Exchange } from '../http/exchange/exchange.ts'
import { NoAnswer } from '../http/exchange/no-answer.ts'
import type { Session } from '../run/judge/session.ts'
import { endpointLabel } from '../spec/endpoints.ts'
import { isObject } from '../suite/located.ts'
import { messageOf } from '../text/errors.ts'

/** The response of an address: an exchange, or the reason for its absence. */
interface Answered {
  readonly label: string
  readonly answer: Exchange | NoAnswer
  /** The response is typical of an API. */
  readonly api: boolean
  /** Nothing was answered for so long that asking for other addresses would take minutes. */
  readonly silent?: boolean
}

/** The search for an API at the base URL, and the responses. */
export interface ApiProbe {
  /** `GET /events returned 200`, of the first address with the response of an API; absent without one. */
  readonly found?: string
  /** The answer behind `found`. */
  readonly answer?: Exchange
  /** The responses of all addresses, as one text. */
  readonly answers: string
  /** The first address was accepted and never answered. */
  readonly silent?: boolean
  /** No address gave any answer but a server error. */
  readonly unavailable: boolean
}

/** Addresses without parameters, in the order in which they are tried after the dialect's probe: the document's own lists first. */
const usual: readonly EndpointRef[] = [
  '/events',
  '/notifications',
  '/user/migrations',
  '/rate_limit',
  '/gists',
  '/versions',
  '/',
].map((path) => ({ method: 'GET', path }))

/** Requests the offered endpoints in turn, without a token and as the given caller, until a response is that of an API. */
export async function findApi(
  session: Session,
  offered: readonly EndpointRef[],
  caller: Caller | undefined,
  atMost = 12,
): Promise<ApiProbe> {
  const tried: Answered[] = []
  const { except } = session.options.config.claims
  const addresses = distinct(
    [session.dialect.probe, ...usual, ...offered].filter((endpoint) => !except.includes(endpointLabel(endpoint))),
  ).slice(0, atMost)
  for (const as of caller ? [anonymous, caller] : [anonymous]) {
    for (const endpoint of addresses) {
      const got = await ask(session, endpoint, as)
      if (got.api)
        return {
          found: sentenceOf(got),
          ...(got.answer instanceof NoAnswer ? {} : { answer: got.answer }),
          answers: sentenceOf(got),
          unavailable: false,
        }
      tried.push(got)
      if (got.silent) return { answers: shownOf(tried, addresses.length), unavailable: true, silent: true }
    }
  }
  return { answers: shownOf(tried, addresses.length), unavailable: tried.every(({ answer }) => isUnavailable(answer)) }
}

function shownOf(tried: readonly Answered[], asked: number): string {
  return tried.slice(0, asked).slice(0, 3).map(sentenceOf).join(', ')
}

/** The addresses that need no parameter, each once. */
function distinct(endpoints: readonly EndpointRef[]): EndpointRef[] {
  const plain = endpoints.filter(({ method, path }) => method === 'GET' && path !== null && !path.includes('{'))
  return [...new Map(plain.map((endpoint) => [endpointLabel(endpoint), endpoint])).values()]
}

/** How long one address may take, retries included, as a multiple of the time that a request has. */
const patience = 2

async function ask(session: Session, endpoint: EndpointRef, as: Caller): Promise<Answered> {
  const label = endpointLabel(endpoint)
  const seconds = session.options.config.limits.timeoutSeconds * patience
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<Answered>((resolve) => {
    const answer = new NoAnswer(`${label} returned nothing within ${seconds} s`)
    timer = setTimeout(() => resolve({ label, answer, api: false, silent: true }), seconds * 1000)
  })
  return Promise.race([answerOf(session, endpoint, as), silence]).finally(() => clearTimeout(timer))
}

async function answerOf(session: Session, endpoint: EndpointRef, as: Caller): Promise<Answered> {
  const label = endpointLabel(endpoint)
  try {
    const answer = await session.client.send({ endpoint, as })
    return { label, answer, api: isFromApi(endpoint, answer) }
  } catch (error) {
    return { label, answer: error instanceof NoAnswer ? error : new NoAnswer(messageOf(error)), api: false }
  }
}

function sentenceOf({ label, answer }: Answered): string {
  if (answer instanceof NoAnswer) return answer.message
  const page = isPage(answer) ? ' (a web page)' : ''
  return `${label} returned ${answer.status}${page}`
}

function isUnavailable(answer: Exchange | NoAnswer): boolean {
  return answer instanceof NoAnswer || answer.status >= 500
}

function isPage(answer: Exchange): boolean {
  return (answer.header('content-type') ?? '').includes('html')
}

/** True for JSON and for the refusals of an API; a page of a website and an unknown address are neither. */
function isFromApi({ path }: EndpointRef, answer: Exchange): boolean {
  const { status, json } = answer
  if (isPage(answer) || status === 404 || status === 410 || status >= 500 || (status >= 300 && status < 400 && status !== 304))
    return false
  if (status >= 400) return true
  // Any server may answer its root; the API's root lists addresses.
  if (path === '/') return isObject(json) && Object.keys(json).some((key) => key.endsWith('_url'))
  return typeof json === 'object' && json !== null ? true : status === 204 || status === 304
}

/** Prefixes under which such an API is often mounted. */
const usualPrefixes = ['', '/api/v3', '/api', '/v3', '/api/v1']

/** Another base URL on the same host where there is an API, for the hint after a wrong path; undefined where none is found. */
export async function findPrefix(baseUrl: string, open: (baseUrl: string) => Promise<Session>): Promise<string | undefined> {
  const { origin, pathname } = new URL(baseUrl)
  const own = pathname.replace(/\/+$/, '')
  const steps = own.split('/').map((_, index, all) => all.slice(0, index + 1).join('/'))
  for (const prefix of [...new Set([...steps.reverse(), ...usualPrefixes])].filter((path) => path !== own)) {
    const session = await open(`${origin}${prefix}`)
    const { found } = await findApi(session, [], undefined, 3).finally(() => session.client.close())
    if (found !== undefined) return `${origin}${prefix}`
  }
  return undefined
}
