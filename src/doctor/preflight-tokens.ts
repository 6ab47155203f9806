import { mustDiffer } from '../config/contradictions.ts'
import { anonymous, bearer, type Caller } from '../http/exchange/caller.ts'
import type { Exchange } from '../http/exchange/exchange.ts'
import { NoResponse, NotSent } from '../http/exchange/no-response.ts'
import type { EndpointRef } from '../http/exchange/request-spec.ts'
import type { PreflightToken } from '../record/preflight-record.ts'
import type { Session } from '../run/judge/session.ts'
import { endpointLabel, endpoints, ownAccount } from '../spec/endpoints.ts'
import { atPointer, defined } from '../text/data.ts'
import { printable } from '../text/format.ts'

/** A configured token as the target treats it. */
interface TokenFacts {
  readonly caller: Caller
  readonly record: PreflightToken
  /** The login that the target states for the token. */
  readonly found: string | undefined
  /** The target states the login of the token itself; otherwise a list of the token contains it. */
  readonly certain: boolean
}

type Responses = ReadonlyMap<string, Exchange>

/** The requests of each caller: a public list, two private lists, and the caller's own account. */
const asked: readonly EndpointRef[] = [
  endpoints.publicEvents,
  endpoints.listNotifications,
  endpoints.listMigrations,
  ownAccount,
]

const neverIssued = bearer('conformance-no-such-token-51f0e2a7', 'invalid')

/** Sends the requests with each distinct token, without a token and with a token that was never issued. A `problem` prevents a run. */
export async function examineTokens(session: Session, callers: readonly Caller[]) {
  const distinct = [...new Map(callers.map((caller) => [caller.secret, caller])).values()]
  if (distinct.length === 0) return { tokens: [], notes: [], problem: undefined }
  const [without, invalid] = await Promise.all([
    responsesTo(session, anonymous),
    responsesTo(session, neverIssued),
  ])
  const all = await Promise.all(
    distinct.map((caller) => factsOf(session, caller, [without, invalid])),
  )
  return {
    tokens: all.map(({ record }) => record),
    notes: all.flatMap(noteOn),
    problem: refusedToken(all) ?? strangersToken(all) ?? sharedLogin(all),
  }
}

async function responsesTo(session: Session, as: Caller) {
  const responses = new Map<string, Exchange>()
  for (const endpoint of asked) {
    const label = endpointLabel(endpoint)
    const response = session.options.config.claims.except.includes(label)
      ? undefined
      : await responseTo(session, as, endpoint)
    if (response) responses.set(label, response)
  }
  return responses
}

/** The response to one request; undefined if none arrived. */
export function responseTo(
  { client }: Session,
  as: Caller,
  endpoint: EndpointRef,
  username = '',
): Promise<Exchange | undefined> {
  return client
    .send({ endpoint, as, params: { username }, direct: true })
    .catch((error: unknown) => {
      if (error instanceof NoResponse || error instanceof NotSent) return undefined
      throw error
    })
}

/**
 * A refusal must be certain, since it prevents the run. A classic token is refused if it gets 401 and always the same status as an
 * invalid one, or always 401. Few endpoints accept another kind: it is refused if it gets 401 for a list that is served without a token.
 */
function stateOf(
  { kind }: Caller,
  own: Responses,
  without: Responses,
  invalid: Responses,
): PreflightToken['state'] {
  const labels = [...own.keys()]
  const unauthorized = labels.filter((label) => own.get(label)?.status === 401)
  const namesAnother = ![undefined, loginOf(invalid)].includes(loginOf(own))
  const differs =
    namesAnother || labels.some((label) => own.get(label)?.status !== invalid.get(label)?.status)
  const isRefused =
    kind === 'classic'
      ? unauthorized.length > 0 && (!differs || unauthorized.length === labels.length)
      : unauthorized.some((label) => without.get(label)?.ok) &&
        !labels.some((label) => own.get(label)?.ok)
  return isRefused ? 'refused' : differs ? 'accepted' : 'unknown'
}

async function factsOf(session: Session, caller: Caller, others: readonly [Responses, Responses]) {
  const own = await responsesTo(session, caller)
  const state = stateOf(caller, own, ...others)
  // A login that the target also states without a valid token identifies no token.
  const stated = others.some((other) => loginOf(other) === loginOf(own)) ? undefined : loginOf(own)
  const listed = loginAt('/0/owner/login', own.get(endpointLabel(endpoints.listMigrations)))
  const found = stated ?? listed
  const certain = stated !== undefined || (await isOnlyOther(session, caller, listed))
  const { role, kind = 'classic', login = found } = caller
  const responses = [...own].map(([label, { status }]) => `${label} returned ${status}`).join(', ')
  const says = responses || 'no response to it was usable; its rate limit may be spent'
  const record = defined({
    token: caller.label,
    kind,
    role,
    login: certain ? found : login,
    state,
    says,
  })
  return { caller, record, found, certain }
}

const loginOf = (responses: Responses) =>
  loginAt('/login', responses.get(endpointLabel(ownAccount)))

function loginAt(pointer: string, response: Exchange | undefined) {
  const login = atPointer(response?.json, pointer)
  return typeof login === 'string' ? printable(login.toWellFormed()) : undefined
}

/** True if the target has a feed of the listed login and none of the declared login, so the declaration is wrong. */
async function isOnlyOther(session: Session, caller: Caller, listed: string | undefined) {
  if (listed === undefined || !differ(caller.login, listed)) return false
  const responseOf = (username = '') => responseTo(session, caller, endpoints.userEvents, username)
  return (await responseOf(caller.login))?.status === 404 && (await responseOf(listed))?.ok === true
}

/** True for two logins that differ in more than their case. */
function differ(a: string | undefined, b: string | undefined) {
  return a !== undefined && b !== undefined && a.toLowerCase() !== b.toLowerCase()
}

function noteOn({ caller, record, found, certain }: TokenFacts) {
  const { state, says } = record
  if (state === 'unknown')
    return [`${nameOf(record)} does not differ from a token that was never issued: ${says}`]
  if (certain || !differ(caller.login, found)) return []
  return [
    `the migrations of ${caller.label} show the owner ${found}, but the configuration says login: ${caller.login}`,
  ]
}

function refusedToken(all: readonly TokenFacts[]) {
  const refused = all.flatMap(({ record }) => (record.state === 'refused' ? record : []))
  if (!refused[0]) return undefined
  const names = refused.map((record) => `the token ${nameOf(record)}`).join(' and ')
  return `the target refuses ${names}: ${refused[0].says}. Renew each refused token, or remove it from "tokens"`
}

function strangersToken(all: readonly TokenFacts[]) {
  const { caller, found } =
    all.find((one) => one.certain && differ(one.caller.login, one.found)) ?? {}
  if (!caller) return undefined
  return `the token ${caller.label} belongs to ${found}, but the configuration says login: ${caller.login}. Correct the login in "tokens"`
}

/** The problem of two tokens of one user with roles that must be two people. */
function sharedLogin(all: readonly TokenFacts[]) {
  const people = all.filter(({ certain, found }) => certain && found !== undefined)
  const pairs = people.flatMap((one, index) =>
    people.slice(index + 1).map((other) => [one, other] as const),
  )
  const pair = pairs.find(
    ([a, b]) => mustDiffer(a.caller.role, b.caller.role) && !differ(a.found, b.found),
  )
  if (!pair) return undefined
  const [one, other] = pair.map(({ caller }) => caller.role)
  return `the tokens of ${one} and ${other} belong to the same user, ${pair[0].found}; checks need two users. Give ${other} a token of another user`
}

function nameOf({ token, role, kind, login }: PreflightToken) {
  return `${token} (${[kind, role, login].filter((part) => part !== undefined).join(', ')})`
}
