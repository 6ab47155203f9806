import type { Caller } from '../../src/http/exchange/caller.ts'
import type { Exchange } from '../../src/http/exchange/exchange.ts'
import type { RequestSpec } from '../../src/http/exchange/request-spec.ts'
import type { MatrixCell } from '../../src/record/check-record.ts'
import type { TokenKind } from '../../src/spec/needs.ts'
import { permissionsHeader } from '../../src/spec/words/words.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import type { Needing } from '../../src/suite/needs.ts'
import { briefly, sendUntil } from '../../src/suite/observe.ts'
import { neverSent, readOtherwise } from './names.ts'
import { requireProven, unlessDeviating } from './proof.ts'

/** How a refusal is recognised: its status, and the contents that it must not reveal. */
export interface Secret {
  /** The name of the resource's schema. */
  readonly resource: string
  /** The one status that the document lists for the refusal. */
  readonly exactly?: number | undefined
  /** The response is a redirect that delivers the resource. */
  readonly delivers?: boolean
  /** True for a body with contents that no schema identifies. */
  readonly leaks?: (json: unknown) => boolean
}

/** Expects a refusal: 401, 403 or 404, or the one listed status, without any contents of the resource (readings G3). */
export function expectRefused(t: CheckContext, response: Exchange, secret: Secret): void {
  const { resource, exactly, delivers = false, leaks = () => false } = secret
  const actual = `${response.status} with ${delivers ? 'a Location' : 'data'}`
  if (delivers || leaks(response.json)) t.deviation({ expected: 'a refusal (401, 403 or 404)', actual, exchanges: [response] })
  t.expect(response).refused(resource)
  if (exactly !== undefined) t.expect(response).status(exactly)
}

/** A request that must be refused to its caller. */
export interface Denial extends Secret {
  readonly request: RequestSpec
  /** Other parameters for the further forms in which the request is sent. */
  readonly otherwise?: Pick<RequestSpec, 'query'>
  /** The same request of an entitled caller. Absent if the calling check has already seen it served. */
  readonly entitled?: RequestSpec
  /** Reads the facts that the request would change, as the entitled user. The second call receives the earlier facts. */
  readonly effect?: ((before?: Effect) => Promise<Effect>) | undefined
}

/** Facts that a request would change, such as `thread 7 is unread`. Additional facts are no effect of the request. */
export interface Effect {
  readonly facts: readonly string[]
  /** True if a change by the request would change these facts. */
  readonly visible: boolean
}

/** Expects a refusal without contents and without an effect, for a caller whose token is valid (readings G3, G4, D14, D15). */
export async function expectDenied(t: CheckContext, denial: Denial): Promise<void> {
  const { request, otherwise, entitled, effect } = denial
  if (entitled) await requireServed(t, entitled, { shared: effect === undefined })
  const before = effect && (await unlessDeviating(effect()))
  const response = await (request.endpoint.method === 'GET' && !effect ? t.read(request) : t.send(request))
  const after = effect && (await unlessDeviating(effect(before)))
  expectRefused(t, response, denial)
  for (const other of await readOtherwise(t, { ...request, headers: neverSent, ...otherwise })) expectRefused(t, other, denial)
  if (before?.visible && after && isChanged(before, after)) {
    const actual = `${response.status}, and the request took effect`
    t.deviation({ expected: 'no change by a rejected request', actual, exchanges: [response] })
  }
  await requireProven(t, request.as, request)
  if (effect && !(after && before?.visible))
    t.untested('an effect of the rejected request could not have been observed', 'shared-thread')
}

/** True when a fact is missing that was seen before. */
export const isChanged = (before: Effect, after: Effect): boolean => before.facts.some((fact) => !after.facts.includes(fact))

/**
 * Expects that an entitled caller with a proven token is served (readings G4, D16). After a refusal, the `control` must be served
 * to the same user (readings G17). Other responses are untested, or deviate with `exactly`.
 */
export async function expectGranted(
  t: CheckContext,
  request: RequestSpec,
  { exactly, control }: { readonly exactly?: number; readonly control?: RequestSpec } = {},
): Promise<Exchange> {
  // New data may become visible later (readings G16). The long wait begins only after the control was served.
  const isServed = ({ refused }: Exchange) => !refused
  let response = await sendUntil(t, request, isServed, briefly)
  if (response.refused) {
    if (control) await requireServed(t, control)
    await requireProven(t, request.as, request)
    if (control) response = await sendUntil(t, request, isServed)
    if (response.refused)
      t.deviation({ expected: 'a successful response', actual: String(response.status), exchanges: [response] })
  }
  expectNoServerError(t, response)
  const judged = response.ok || response.status === 304 || (exactly !== undefined && !response.throttled)
  if (!judged) t.untested(`the response was ${response.status}, which neither grants nor refuses access`)
  if (exactly !== undefined) t.expect(response).status(exactly)
  await requireProven(t, request.as, request)
  t.examined(1)
  return response
}

/** The control of a refusal: an entitled caller is served. `shared`: one response for all checks, as nothing changes the data. */
export async function requireServed(t: CheckContext, entitled: RequestSpec, { shared = false } = {}): Promise<Exchange> {
  // Data that was prepared for the request may be visible a little later (readings G16).
  const known = shared ? await t.read(entitled) : undefined
  const response = known?.status === 200 ? known : await sendUntil(t, entitled, undefined, briefly)
  expectNoServerError(t, response)
  return response.status === 200 ? response : t.untested(`the request fails for the authorised user as well (${response.status})`)
}

/** Ends the check as failed where a request that the document defines makes the server fail (readings G3). */
export function expectNoServerError(t: CheckContext, exchange: Exchange): void {
  if (exchange.broken) t.deviation({ expected: 'no server error', actual: String(exchange.status), exchanges: [exchange] })
}

/** A check that a caller is refused: its metadata and its caller. The caller is anonymous without `token` and `known`. */
export interface RefusedCaller {
  readonly aspect: string
  readonly title: string
  readonly requirement: string
  readonly token?: Needing<Caller>
  readonly known?: Caller
  /** The one status that the document lists. */
  readonly exactly?: number
  /** The token's kind, if the endpoint refuses the kind. */
  readonly kind?: TokenKind
}

/** The cell of the heat map for a token kind that the endpoints of an area refuse (document: Authentication, rules 5 and 6). */
export function refusedKindCell(area: 'notifications' | 'migrations', kind: TokenKind): MatrixCell {
  return { owner: area, category: 'classic tokens only', kind, access: 'none', expects: 'refused' }
}

/** True for a response that names the permissions it accepts (document: Authentication). */
export const namesPermissions = (response: Exchange): boolean => (response.header(permissionsHeader) ?? '').trim() !== ''
