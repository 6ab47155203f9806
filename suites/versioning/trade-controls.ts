import { randomUUID } from 'node:crypto'
import { anonymous } from '../../src/http/caller.ts'
import type { Exchange } from '../../src/http/exchange.ts'
import { changeEndpoints } from '../../src/spec/change-endpoints.ts'
import { type Endpoint, pathParameters } from '../../src/spec/endpoint.ts'
import { firstVersion, latestVersion } from '../../src/spec/versions.ts'
import { type Check, check, suite } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { need, type Resolved, role } from '../../src/suite/needs.ts'
import { type Callers, callerOf, callers } from './declared.ts'

const at = changeEndpoints

/** An endpoint that trade controls can block, and what a blocked request got before 451. */
interface Controlled {
  readonly operation: string
  readonly endpoint: Endpoint
  readonly change: 13 | 14
  readonly before: 422 | 403
}

const controlled: readonly Controlled[] = [
  { operation: 'create-organization-repository', endpoint: at.createOrgRepository, change: 13, before: 422 },
  { operation: 'create-user-repository', endpoint: at.createUserRepository, change: 13, before: 422 },
  { operation: 'delete-organization', endpoint: at.deleteOrganization, change: 14, before: 403 },
  { operation: 'remove-member', endpoint: at.removeMember, change: 14, before: 403 },
  { operation: 'set-membership', endpoint: at.setMembership, change: 14, before: 403 },
  { operation: 'accept-invitation', endpoint: at.acceptInvitation, change: 14, before: 403 },
]

/** Changes 13 and 14: trade controls get a status of their own, and nothing else gets it (readings V12). */
export default suite({
  area: 'versioning',
  endpoint: at.createUserRepository,
  checks: controlled.flatMap(controlChecks),
})

function controlChecks({ operation, endpoint, change, before }: Controlled): Check[] {
  const needs = {
    ...callers,
    blocked: need('trade-restricted-request', { change, method: endpoint.method, path: endpoint.path ?? '' }),
  }
  const shared = { requirement: `versioning.change-${change}`, level: 'must', endpoint, writes: true } as const
  return [
    check({
      id: `versioning.${operation}.blocked-451`,
      ...{ ...shared, needs, versions: [latestVersion] },
      title: 'answers 451 when trade controls block the request',
      run: async (t, resolved) => {
        t.expect(await askBlocked(t, endpoint, resolved)).status(451)
      },
    }),
    check({
      id: `versioning.${operation}.blocked-${before}`,
      ...{ ...shared, needs, versions: [firstVersion] },
      title: `still answers ${before} when trade controls block the request`,
      run: async (t, resolved) => {
        t.expect(await askBlocked(t, endpoint, resolved)).status(before)
      },
    }),
    check({
      id: `versioning.${operation}.unblocked-not-451`,
      ...{ ...shared, needs: { owner: role('owner') } },
      title: 'keeps 451 for trade controls: an ordinary error has another status',
      run: async (t, { owner }) => {
        const as = endpoint.path?.includes('{') ? owner : anonymous
        const answer = await t.send({ endpoint, params: absentNames(endpoint), body: { name: 'conformance' }, as })
        if (answer.status === 451) t.deviation({ expected: 'another status than 451', actual: '451', exchanges: [answer] })
        if (answer.status >= 400 && answer.status < 500) t.examined(1)
      },
    }),
  ]
}

type Needs = Callers & { readonly blocked: Resolved<{ blocked: ReturnType<typeof need<'trade-restricted-request'>> }>['blocked'] }

/** Sends the blocked request; a deletion only where its object may go. */
async function askBlocked(t: CheckContext, endpoint: Endpoint, needs: Needs): Promise<Exchange> {
  const { path, body, as = 'restricted', disposable } = needs.blocked
  const how = 'mark the request as disposable, and let it name an organisation that may be deleted'
  const spared = endpoint === at.deleteOrganization && !disposable
  if (spared) t.untested('the organisation is not marked as disposable', [{ need: 'trade-restricted-request', how }])
  return t.send({ endpoint, path, as: callerOf(t, needs, as), ...(body === undefined ? {} : { body }) })
}

/** Names that nothing on the target has, so that the request finds nothing to act on. */
function absentNames(endpoint: Endpoint): Record<string, string> {
  const absent = (name: string) => (name.endsWith('_id') ? '2147483646' : `absent-${randomUUID().slice(0, 13)}`)
  return Object.fromEntries(pathParameters(endpoint.path ?? '').map((name) => [name, absent(name)]))
}
