import { anonymous, type Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import { type ChangeNumber, familyOf } from '../../../src/spec/changes/changes.ts'
import { type Method, methods } from '../../../src/spec/endpoints.ts'
import type { DeclaredRequest } from '../../../src/spec/needs.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { need, optional, type Resolved, role } from '../../../src/suite/needs.ts'
import { embeddingRequests } from '../../common/removed-fields.ts'
import { expectOffered, secondPage, sendInBoth } from './requests.ts'

/** The possible senders of a declared request. */
export const callers = {
  owner: optional(role('owner')),
  'org-owner': optional(role('org-owner')),
  member: optional(role('member')),
  outsider: optional(role('outsider')),
  restricted: optional(role('restricted')),
  'inbox-user': optional(role('inbox-user')),
}
export type Callers = Resolved<typeof callers>

/** The needs of a check whose addresses the document names only as a family. */
export function familyNeeds(change: ChangeNumber) {
  return { ...callers, family: need('version-request', { change }) }
}
export type Family = Resolved<ReturnType<typeof familyNeeds>>

/** The senders and the requests of the changes whose objects embed each other. */
export const embeddingNeeds = { ...callers, ...embeddingRequests }

/** The addresses of all these changes as one family, each once. Ends the check where none is declared. */
export function embeddingFamily(t: CheckContext, needs: Resolved<typeof embeddingNeeds>): Family {
  const all = [needs.change5, needs.change12, needs.change17, needs.change19].flatMap(
    (family) => family?.requests ?? [],
  )
  const byText = new Map(all.map((request) => [JSON.stringify(request), request]))
  if (all.length === 0)
    t.untested('no request for a repository, issue or pull request is declared', 'version-request')
  return { ...needs, family: { requests: [...byText.values()] } }
}

/** The caller that a declared request names, the owner unless it names one. */
export function callerOf(t: CheckContext, available: Callers, as = 'owner'): Caller {
  if (as === 'anonymous') return anonymous
  const caller = Object.hasOwn(callers, as) ? available[as as keyof Callers] : undefined
  return (
    caller ??
    t.untested(`a declared request names the role "${as}", for which no token is configured`, [
      {
        need: `token:${as}`,
        kind: 'token',
        how: `add a token with role ${as}, or let the request name another role`,
      },
    ])
  )
}

/** A declared request, ready to be sent; named after its change in the report. */
export function declaredSpec(
  t: CheckContext,
  available: Callers,
  change: ChangeNumber,
  request: DeclaredRequest,
): RequestSpec {
  const { path, body, as } = request
  const method =
    methods.find((known) => known === request.method) ??
    t.untested(`${request.method} is no known method`)
  const endpoint = familyOf(change, method)
  return { endpoint, path, as: callerOf(t, available, as), body }
}

/** Reads every declared address of a change, without those that are not served; ends the check where none is served. */
export async function readFamily(
  t: CheckContext,
  needs: Family,
  change: ChangeNumber,
  read = async (spec: RequestSpec) => {
    const own = await t.read(spec)
    return [own, ...(await secondPage(t, spec, own))]
  },
) {
  const requests = needs.family.requests.filter(({ method }) => method === 'GET')
  const specs = requests.map((request) => declaredSpec(t, needs, change, request))
  const sent = await Promise.all(
    specs.map(async (spec) => (await read(spec)).map((response) => ({ spec, response }))),
  )
  return servedOf(t, change, 'GET', sent.flat())
}

/** A declared request is there to be sent; a deletion only where its object is marked as disposable. */
export function maySend({ method, disposable }: DeclaredRequest) {
  return method === 'GET' || (disposable ?? method !== 'DELETE')
}

/** Sends every declared request of a method; each is sent once, however many checks look at its response. */
export async function writeFamily(
  t: CheckContext,
  needs: Family,
  change: ChangeNumber,
  method: Method,
) {
  const requests = needs.family.requests.filter(
    (request) => request.method === method && maySend(request),
  )
  const sent: Sent[] = []
  for (const request of requests) {
    const spec = declaredSpec(t, needs, change, request)
    const response = await t.shared(`declared ${JSON.stringify(request)}`, async (once) => {
      const made = await sendInBoth(once, spec)
      // The address of a new object is unknown.
      if (made.ok && method === 'POST')
        once.leavesBehind(`the object that POST ${spec.path} created`)
      return made
    })
    sent.push({ spec, response })
  }
  return servedOf(t, change, method, sent)
}

interface Sent {
  readonly spec: RequestSpec
  readonly response: Exchange
}

function servedOf(t: CheckContext, change: ChangeNumber, method: Method, sent: readonly Sent[]) {
  const [first] = sent
  if (!first)
    return t.untested(`no ${method} of change ${change} is declared`, [
      {
        need: 'version-request',
        how: `declare a ${method} under needs.version-request with change: ${change}`,
      },
    ])
  const served = sent.map(({ response }) => response).filter(({ ok }) => ok)
  if (served.length === 0) expectOffered(t, first.spec, first.response)
  return served
}
