import { bearer, type Caller } from '../../src/http/exchange/caller.ts'
import type { Exchange } from '../../src/http/exchange/exchange.ts'
import type { RequestSpec } from '../../src/http/exchange/request-spec.ts'
import { endpoints } from '../../src/spec/endpoints.ts'
import { type PermissionRow, permissionRows } from '../../src/spec/permissions.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { Deviation } from '../../src/suite/deviation.ts'
import { Untested } from '../../src/suite/untested.ts'

/** A token that no target has given out. */
export const inventedToken: Caller = bearer('conformance-no-such-token-51f0e2a7', 'invented')

/** Ends the check where two roles are one user, or where nothing says that they are two. */
export function requireTwoUsers(t: CheckContext, caller: Caller, other: Pick<Caller, 'login' | 'secret'>): void {
  if (caller.secret === undefined) return
  const [one, two] = [caller.login?.toLowerCase(), other.login?.toLowerCase()]
  if (caller.secret === other.secret || (one !== undefined && one === two)) t.untested('the two roles are one user', 'token')
  const mayBeOne = caller.role === 'member' || caller.role === 'org-owner'
  if (mayBeOne && (one === undefined || two === undefined))
    t.untested('nothing says that the two roles are two users; add their logins to tokens in the configuration', 'token')
}

/** Sends the request that is judged as any caller. */
export type SendAs = (as: Caller) => Promise<Exchange>

/**
 * True when the target tells a token from an invented one (readings G4): by a feed that needs no permission, by the feed of a
 * private repository that it may read, by a row that it is entitled to, or by the status of the judged request itself.
 * The first three are asked once for each token and version. A caller without a token, or with an invented one, has nothing to prove.
 */
export async function isProven(t: CheckContext, caller: Caller, judged?: SendAs): Promise<boolean> {
  const { secret } = caller
  if (secret === undefined || secret === inventedToken.secret) return true
  if (await t.shared(`proven ${secret}`, (once) => isServedSomewhere(once, caller))) return true
  if (!judged) return false
  const own = await judged(caller)
  return own.status !== 401 && isTelling(own) && toldApart(own, await judged(inventedToken))
}

/** Ends the check as untested unless the token is proven: its refusal would say nothing. */
export async function requireProven(t: CheckContext, caller: Caller, judged?: SendAs): Promise<void> {
  if (await isProven(t, caller, judged)) return
  t.untested(`nothing shows that the token ${caller.label} is valid, so its refusal says nothing`, 'token')
}

/** A request that must be refused to its caller. */
export interface Refusal {
  readonly request: RequestSpec
  /** The request that shows that somebody is served; left out where the caller of this function has seen it. */
  readonly entitled?: RequestSpec
  /** What a refusal must not hold: the name of its schema. */
  readonly resource: string
  /** The one status that the document lists for it. */
  readonly exactly?: number | undefined
  /** What the request would change, as the entitled user sees it before and after; after it, the facts of `before` are looked for. */
  readonly effect?: ((before?: Effect) => Promise<Effect>) | undefined
  /** The same with something that can show the effect once more, for what others may have changed at the same moment. */
  readonly anew?: (() => Promise<Refusal>) | undefined
}

/** Facts that a request would change. Facts that others add are no effect. */
export interface Effect {
  readonly facts: readonly string[]
  /** A change would be seen. */
  readonly visible: boolean
}

/** Refused, without data and without effect, while the caller's token is valid (readings G3, G4, D14, D15). */
export async function expectRefused(t: CheckContext, refusal: Refusal): Promise<void> {
  const { request, entitled, resource, exactly, effect } = refusal
  if (entitled) await requireServed(t, entitled)
  const before = effect && (await unlessDeviating(effect()))
  const answer = await t.send(request)
  const after = effect && (await unlessDeviating(effect(before)))
  if (exactly !== undefined && !answer.throttled) t.expect(answer).status(exactly)
  t.expect(answer).refused(resource)
  if (after && before?.facts.some((fact) => !after.facts.includes(fact))) {
    const actual = `${answer.status}, but the request took effect`
    if (await isRefusedAnew(t, refusal)) t.untested('somebody else changed the same at the same time')
    t.deviation({ expected: 'no change by a rejected request', actual, exchanges: [answer] })
  }
  await requireProven(t, request.as, judgedBy(t, request))
  if (effect && !(after && before?.visible))
    t.untested('an effect of the rejected request could not have been observed', 'shared-thread')
}

/** True when a second request has no effect. Ends the check as failed where it has. */
async function isRefusedAnew(t: CheckContext, { anew }: Refusal): Promise<boolean> {
  const second = anew && (await unlessUntested(anew()))
  if (!second) return false
  await expectRefused(t, { ...second, anew: undefined })
  return true
}

/**
 * Served. A refusal or a grant counts only where the token is told from an invented one (readings G4, D16). Any other answer is
 * untested, or, where only one status counts as served (`exactly`), a deviation. Returns the answer.
 */
export async function expectServed(t: CheckContext, request: RequestSpec, exactly?: number): Promise<Exchange> {
  const answer = await t.send(request)
  if (answer.refused) {
    await requireProven(t, request.as, judgedBy(t, request))
    t.deviation({ expected: 'a successful response', actual: String(answer.status), exchanges: [answer] })
  }
  noServerError(t, answer)
  const served = answer.ok || answer.status === 304
  const judged = served || (exactly !== undefined && !answer.throttled)
  if (!judged) t.untested(`the response was ${answer.status}, which neither grants nor refuses access`)
  if (exactly !== undefined) t.expect(answer).status(exactly)
  await requireToldApart(t, request)
  t.examined(1)
  return answer
}

/** The control of a grant: a target that also serves tokens which it never issued has accepted no token. */
export async function requireToldApart(t: CheckContext, request: RequestSpec): Promise<void> {
  if (await isProven(t, request.as, judgedBy(t, request))) return
  t.untested(`nothing shows that the target tells the token ${request.as.label} from one that was never issued`, 'token')
}

/** The control of a refusal: somebody who is entitled is served; `shared` by all checks where nothing can have changed meanwhile. */
export async function requireServed(t: CheckContext, entitled: RequestSpec, { shared = false } = {}): Promise<Exchange> {
  const answer = shared ? await t.read(entitled) : await t.send(entitled)
  noServerError(t, answer)
  return answer.status === 200 ? answer : t.untested(`the request fails for the authorised user as well (${answer.status})`)
}

/** Ends the check as failed where a request that the document defines makes the server fail (readings G3). */
export function noServerError(t: CheckContext, exchange: Exchange): void {
  if (exchange.broken) t.deviation({ expected: 'no server error', actual: String(exchange.status), exchanges: [exchange] })
}

/** Only a GET is sent for the sake of proof. */
function judgedBy(t: CheckContext, request: RequestSpec): SendAs | undefined {
  return request.endpoint.method === 'GET' ? (as) => t.read({ ...request, as }) : undefined
}

/** An answer about the caller, not about the pace or a fault of the server. */
function isTelling({ throttled, broken }: Exchange): boolean {
  return !throttled && !broken
}

function toldApart(own: Exchange, invented: Exchange): boolean {
  return isTelling(invented) && own.status !== invented.status
}

async function isServedSomewhere(t: CheckContext, caller: Caller): Promise<boolean> {
  for (const address of [() => publicFeed, () => organizationFeed(t), () => privateFeed(t), () => entitledRow(caller)]) {
    const found = await address()
    if (found && (await isServedApart(t, found, caller))) return true
  }
  return false
}

type Address = Omit<RequestSpec, 'as'>

/** Served to the token, and not to an invented one. */
async function isServedApart(t: CheckContext, address: Address, caller: Caller): Promise<boolean> {
  if (!(await t.read({ ...address, as: caller })).ok) return false
  const invented = await t.read({ ...address, as: inventedToken })
  return isTelling(invented) && !invented.ok
}

const publicFeed: Address = { endpoint: endpoints.publicEvents, query: { per_page: 1 } }

async function organizationFeed(t: CheckContext): Promise<Address | undefined> {
  const given = await unlessUntested(t.ask('organization', {}))
  return given && { endpoint: endpoints.organizationEvents, params: { org: given.org }, query: { per_page: 1 } }
}

async function privateFeed(t: CheckContext): Promise<Address | undefined> {
  const given = await unlessUntested(t.ask('private-repository', {}))
  if (!given) return undefined
  return { endpoint: endpoints.repositoryEvents, params: { owner: given.owner, repo: given.repo }, query: { per_page: 1 } }
}

/** Rows that need nothing but a user. */
const plainReads: readonly PermissionRow[] = permissionRows.filter(
  ({ access, path }) => access === 'read' && path.startsWith('/user/') && !path.includes('{'),
)

/** A row that the token is entitled to by what it is declared to hold. */
function entitledRow({ permissions }: Caller): Address | undefined {
  const held = plainReads.find(({ category }) => permissions?.[category.owner]?.[category.slug] !== undefined)
  return held && { endpoint: held.endpoint }
}

/** What a reading finds; undefined where the target does not serve it as the document says, which other checks judge. */
export async function unlessDeviating<Value>(reading: Promise<Value>): Promise<Value | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Deviation) return undefined
    throw error
  }
}

/** What a need gives; undefined where the target's operator does not provide it. */
export async function unlessUntested<Value>(wanted: Promise<Value>): Promise<Value | undefined> {
  try {
    return await wanted
  } catch (error) {
    if (error instanceof Untested) return undefined
    throw error
  }
}
