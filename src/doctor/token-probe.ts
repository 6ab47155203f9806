import type { EndpointRef } from '../http/client.ts'
import { anonymous, bearer, type Caller } from '../http/exchange/caller.ts'
import type { Exchange } from '../http/exchange/exchange.ts'
import { NoAnswer } from '../http/exchange/no-answer.ts'
import { NotSent } from '../http/exchange/not-sent.ts'
import type { PreflightToken } from '../record/preflight-record.ts'
import type { Session } from '../run/judge/session.ts'
import { endpointLabel, endpoints } from '../spec/endpoints.ts'
import { isObject } from '../suite/located.ts'
import { printable } from '../text/format.ts'

/** A configured token as the target treats it. */
export interface TokenProbe extends PreflightToken {
  /** The login that the target states for the token, if it states one. */
  readonly found?: string
  /** The target states the login of the token itself; otherwise a list of the token contains it. */
  readonly certain: boolean
}

type Answers = ReadonlyMap<string, Exchange>

/** The requests of each caller: a public list, two private lists, and the usual address of the caller's own account. */
const asked: readonly EndpointRef[] = [
  endpoints.publicEvents,
  endpoints.listNotifications,
  endpoints.listMigrations,
  { method: 'GET', path: '/user' },
]

const neverIssued = bearer('conformance-no-such-token-51f0e2a7', 'invalid')

/** Sends the requests with each distinct token, without a token and with a token that was never issued. */
export async function probeTokens(session: Session, callers: readonly Caller[]): Promise<TokenProbe[]> {
  const distinct = [...new Map(callers.map((caller) => [caller.secret, caller])).values()]
  if (distinct.length === 0) return []
  const { except } = session.options.config.claims
  const addresses = asked.filter((endpoint) => !except.includes(endpointLabel(endpoint)))
  const [nobody, invalid] = await Promise.all([anonymous, neverIssued].map((caller) => answersTo(session, addresses, caller)))
  const probe = async (caller: Caller): Promise<TokenProbe> => {
    const own = await answersTo(session, addresses, caller)
    return describe(session, caller, own, stateOf(caller, own, nobody ?? new Map(), invalid ?? new Map()))
  }
  return Promise.all(distinct.map(probe))
}

async function answersTo(session: Session, addresses: readonly EndpointRef[], as: Caller): Promise<Answers> {
  const answers = new Map<string, Exchange>()
  for (const endpoint of addresses) {
    const answer = await session.client.send({ endpoint, as, direct: true }).catch((error: unknown) => {
      if (error instanceof NoAnswer || error instanceof NotSent) return undefined
      throw error
    })
    if (answer) answers.set(endpointLabel(endpoint), answer)
  }
  return answers
}

/**
 * A rejection must be certain, since it prevents the run. A classic token is rejected if it gets 401 and always the same status as an
 * invalid one. Few endpoints accept another kind: it is rejected if it gets 401 for a list that is served without a token.
 */
function stateOf({ kind }: Caller, own: Answers, nobody: Answers, invalid: Answers): PreflightToken['state'] {
  const labels = [...own.keys()]
  const status = (answers: Answers, label: string) => answers.get(label)?.status
  const refused = labels.filter((label) => status(own, label) === 401)
  const differs = labels.some((label) => status(own, label) !== status(invalid, label))
  if (kind === 'classic') return refused.length > 0 && !differs ? 'rejected' : differs ? 'accepted' : 'unknown'
  const shut = refused.some((label) => isServed(status(nobody, label)))
  const served = labels.some((label) => isServed(status(own, label)))
  return shut && !served ? 'rejected' : differs ? 'accepted' : 'unknown'
}

function isServed(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300
}

async function describe(session: Session, caller: Caller, own: Answers, state: PreflightToken['state']): Promise<TokenProbe> {
  const stated = loginIn(own.get('GET /user')?.json)
  const shown = ownerOf(own.get(endpointLabel(endpoints.listMigrations))?.json)
  const found = stated ?? shown
  const login = found ?? caller.login
  const certain = stated !== undefined || (await isOnlyOther(session, caller, shown))
  return {
    token: caller.label,
    kind: caller.kind ?? 'classic',
    ...(caller.role === undefined ? {} : { role: caller.role }),
    ...(login === undefined ? {} : { login }),
    ...(found === undefined ? {} : { found }),
    certain,
    state,
    says: [...own].map(([label, { status }]) => `${label} returned ${status}`).join(', '),
  }
}

/** True if the target has a feed of the listed login and none of the declared login, so the declaration is wrong. */
async function isOnlyOther(session: Session, { login, secret, label }: Caller, shown: string | undefined): Promise<boolean> {
  if (login === undefined || shown === undefined || sameLogin(login, shown) || secret === undefined) return false
  const statusFor = async (username: string) =>
    (
      await session.client
        .send({ endpoint: endpoints.userEvents, params: { username }, as: { label, secret }, direct: true })
        .catch(() => undefined)
    )?.status
  return (await statusFor(login)) === 404 && isServed(await statusFor(shown))
}

/** True for two spellings of one login. */
export function sameLogin(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

function loginIn(user: unknown): string | undefined {
  return isObject(user) && typeof user.login === 'string' ? printable(user.login.toWellFormed()) : undefined
}

function ownerOf(list: unknown): string | undefined {
  return Array.isArray(list) && isObject(list[0]) ? loginIn(list[0].owner) : undefined
}
