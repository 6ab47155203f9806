import { familyOf } from '../../src/spec/change-endpoints.ts'
import type { Method } from '../../src/spec/endpoint.ts'
import type { DeclaredRequest, Role } from '../../src/spec/needs.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { need, optional, type Resolved, role } from '../../src/suite/needs.ts'
import { anonymous, type Caller } from '../../src/target/caller.ts'
import type { RequestSpec } from '../../src/target/client.ts'
import type { Exchange } from '../../src/target/exchange.ts'
import { isServed, offered } from './offered.ts'

/** Whoever a declared request may be sent as. */
export const callers = {
  owner: optional(role('owner')),
  'org-owner': optional(role('org-owner')),
  member: optional(role('member')),
  outsider: optional(role('outsider')),
  restricted: optional(role('restricted')),
  'inbox-user': optional(role('inbox-user')),
}
export type Callers = Resolved<typeof callers>

/** What a check of addresses that the document names only as a family needs. */
export function familyNeeds(change: number) {
  return { ...callers, family: need('version-request', { change }) }
}
export type Family = Resolved<ReturnType<typeof familyNeeds>>

/** The caller that a declared request names, the owner unless it names one. */
export function callerOf(t: CheckContext, available: Callers, as = 'owner'): Caller {
  if (as === 'anonymous') return anonymous
  const caller = available[as as Role]
  const how = `add a token with role ${as}, or let the request name another role`
  return (
    caller ?? t.untested(`a declared request is to be sent as "${as}", which no token is for`, [{ need: `token:${as}`, how }])
  )
}

/** A declared request, ready to be sent; named after its change in the report. */
export function declaredSpec(t: CheckContext, available: Callers, change: number, request: DeclaredRequest): RequestSpec {
  const { method, path, body, as } = request
  const endpoint = familyOf(change, method as 'GET')
  return { endpoint, path, as: callerOf(t, available, as), ...(body === undefined ? {} : { body }) }
}

/** Reads every declared address of a change; what is not served is left out, and nothing served ends the check. */
export async function readFamily(t: CheckContext, needs: Family, change: number): Promise<Exchange[]> {
  const specs = needs.family.requests
    .filter(({ method }) => method === 'GET')
    .map((request) => declaredSpec(t, needs, change, request))
  return servedOf(t, change, await Promise.all(specs.map(async (spec) => ({ spec, answer: await t.read(spec) }))))
}

/** Sends every declared request of a change and method that is marked as disposable. */
export async function writeFamily(t: CheckContext, needs: Family, change: number, method: Method): Promise<Exchange[]> {
  const sent: { spec: RequestSpec; answer: Exchange }[] = []
  for (const request of needs.family.requests.filter((declared) => declared.method === method && declared.disposable)) {
    const spec = declaredSpec(t, needs, change, request)
    sent.push({ spec, answer: await t.send(spec) })
  }
  return servedOf(t, change, sent)
}

function servedOf(t: CheckContext, change: number, sent: readonly { spec: RequestSpec; answer: Exchange }[]): Exchange[] {
  const served = sent.filter(({ answer }) => isServed(answer))
  const [first] = sent
  if (served.length === 0 && first) offered(t, first.spec, first.answer)
  const how = `declare one under needs.version-request with change: ${change}`
  if (served.length === 0) t.untested(`no address of change ${change} is declared`, [{ need: 'version-request', how }])
  return served.map(({ answer }) => answer)
}
