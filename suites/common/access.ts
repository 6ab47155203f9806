import type { Exchange } from '../../src/http/exchange/exchange.ts'
import type { RequestSpec } from '../../src/http/exchange/request-spec.ts'
import { permissionsHeader } from '../../src/spec/words/words.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { briefly, expectOnce, sendOrRead, sendUntil } from '../../src/suite/observe.ts'
import { neverSent, readOtherwise } from './names.ts'
import { requireProven, unlessUntested } from './proof.ts'

/** How a refusal is recognised. */
export interface Refused {
  /** The name of the schema of the resource that the response must not contain. */
  readonly resource?: string
  /** The one status that the document lists for the refusal. */
  readonly exactly?: number | undefined
  /** The proof that the request was not refused, if there is one: `with a Location`. */
  readonly flaw?: string | false | undefined
  /** The responses that show the flaw, in their order. */
  readonly evidence?: readonly Exchange[]
}

/** Expects that one response is a refusal: 401, 403 or 404, or the one listed status, without any contents of the resource (readings G3). */
export function judgeRefused(t: CheckContext, response: Exchange, refused: Refused) {
  const { resource, exactly, flaw, evidence = [response] } = refused
  if (flaw)
    t.deviation({
      expected: 'a refusal (401, 403 or 404) that returns no data and changes nothing',
      actual: `${response.status} ${flaw}`,
      exchanges: evidence,
      refused: response,
    })
  t.expect(response).refused(resource)
  if (exactly !== undefined) t.expect(response).status(exactly)
}

/** A request that must be refused to its caller. */
interface Refusal extends Omit<Refused, 'flaw' | 'evidence'> {
  readonly request: RequestSpec
  /** Other parameters for the further forms in which the request is sent. */
  readonly otherwise?: Pick<RequestSpec, 'query' | 'params'>
  /** The same request of an entitled caller. Absent if the calling check has already seen it served. */
  readonly entitled?: RequestSpec
  /** Finds the proof that a response delivers contents which no schema identifies. */
  readonly flawOf?: (response: Exchange) => Promise<string | false>
}

/** Facts that a request would change, such as `thread 7 is unread`. Additional facts are no effect of the request. */
export interface Effect {
  readonly facts: readonly string[]
  /** True if a change by the request would change these facts. */
  readonly visible: boolean
}

/** Expects a refusal without contents, in each form of the request, for a caller whose token is valid (readings G3, G4, D14, D15). */
export async function expectRefused(t: CheckContext, refusal: Refusal) {
  const { request, otherwise, entitled, flawOf } = refusal
  if (entitled) await requireServed(t, entitled, { shared: true })
  const judge = async (each: Exchange) =>
    judgeRefused(t, each, { ...refusal, flaw: await flawOf?.(each) })
  await judge(await sendOrRead(t, request))
  for (const other of await readOtherwise(t, { ...request, headers: neverSent, ...otherwise }))
    await judge(other)
  await requireProven(t, request.as, request)
}

/** True when a fact is missing that was seen before. */
export const isChanged = (before: Effect, after: Effect) =>
  before.facts.some((fact) => !after.facts.includes(fact))

/**
 * Expects that an entitled caller with a proven token is served (readings G4, D16). After a refusal, the `control` must be served
 * to the same user (readings G17). Other responses are untested, or deviate with `exactly`.
 */
export async function expectGranted(
  t: CheckContext,
  request: RequestSpec,
  { exactly, control }: { readonly exactly?: number; readonly control?: RequestSpec } = {},
) {
  // New data may become visible later (readings G16). The long wait begins only after the control was served.
  const isServed = ({ refused }: Exchange) => !refused
  let response = await sendUntil(t, request, isServed, briefly)
  if (response.refused) {
    if (control) await requireServed(t, control)
    await requireProven(t, request.as, request)
    if (control) response = await sendUntil(t, request, isServed)
    t.expect(response).satisfy('a successful response', !response.refused)
  }
  expectNoServerError(t, response)
  const judged =
    response.ok || response.status === 304 || (exactly !== undefined && !response.throttled)
  if (!judged)
    t.untested(`the response was ${response.status}, which neither grants nor refuses access`)
  if (exactly !== undefined) t.expect(response).status(exactly)
  await requireProven(t, request.as, request)
  if (request.endpoint.method === 'GET') await expectConditionGranted(t, request)
  t.examined(1)
  return response
}

/** A request is served without an Accept header (readings G11). A missing object, such as a lock, is reported without one as well. */
export async function expectAcceptOptional(t: CheckContext, request: RequestSpec) {
  const response = await t.send({ ...request, accept: null })
  const { status } = response
  const isWanted = [406, 415].includes(status)
  if (!isWanted) await requireProven(t, request.as, request)
  // An object that is unknown may be deleted with 404. Another rejection proves nothing.
  if (status < 400 || isWanted || status === 404)
    t.expect(response).satisfy('a served request', !isWanted)
  return response
}

/** A conditional request needs no further rights than another one. Its status is not judged otherwise. */
async function expectConditionGranted(t: CheckContext, request: RequestSpec) {
  await expectOnce(t, async () => {
    const response = await unlessUntested(
      t.send({ ...request, headers: neverSent, extra: 'with a condition' }),
    )
    return response?.refused
      ? {
          expected: 'no refusal of a conditional request',
          actual: String(response.status),
          exchanges: [response],
        }
      : undefined
  })
}

/** The control of a refusal: an entitled caller is served. `shared`: one response for all checks, as nothing changes the data. */
export async function requireServed(
  t: CheckContext,
  entitled: RequestSpec,
  { shared = false } = {},
) {
  // Data that was prepared for the request may be visible a little later (readings G16).
  const known = shared ? await t.read(entitled) : undefined
  const response = known?.status === 200 ? known : await sendUntil(t, entitled, undefined, briefly)
  expectNoServerError(t, response)
  return response.status === 200
    ? response
    : t.untested(`the request fails for the authorised user as well (${response.status})`)
}

/** Ends the check as failed where a request that the document defines makes the server fail (readings G3). */
export function expectNoServerError(t: CheckContext, exchange: Exchange) {
  if (exchange.broken) t.expect(exchange).satisfy('no server error', false)
}

/** True for a response that names the permissions it accepts (document: Authentication). */
export const namesPermissions = (response: Exchange) =>
  (response.header(permissionsHeader) ?? '').trim() !== ''

/**
 * Expects the permissions header on a response, with any value. It is missing if neither a served nor a refused response
 * has it (readings F7, F8).
 */
export function expectPermissionsNamed(t: CheckContext, responses: readonly Exchange[]) {
  const [served] = responses.filter(({ ok }) => ok)
  const [refused] = responses.filter((response) => response.refused)
  const isNamed = responses.some(namesPermissions)
  if (!isNamed && !(served && refused))
    t.untested(
      'the absence of the header can be judged only with a successful and a rejected response',
    )
  if (!isNamed)
    t.deviation({
      expected: `a non-empty ${permissionsHeader}`,
      actual: 'no value on the successful and the rejected response',
      exchanges: [served, refused].filter((each) => each !== undefined),
    })
  t.examined(1)
}
