import { anonymous, type Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { type ChangeNumber, changeEndpoints, partsOn, type StatusPart } from '../../../src/spec/changes/changes.ts'
import { type Endpoint, pathParameters } from '../../../src/spec/endpoints.ts'
import type { DeclaredRequest } from '../../../src/spec/needs.ts'
import type { Level } from '../../../src/spec/requirements.ts'
import { type ApiVersion, firstVersion, latestVersion } from '../../../src/spec/versions.ts'
import { inventedAddress } from '../../../src/spec/words/addresses.ts'
import { type Check, check, suite } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { need, role } from '../../../src/suite/needs.ts'
import { bareApp, shownStatus } from '../common/change.ts'
import { type Callers, callerOf, callers } from '../common/declared.ts'

/** The endpoints that trade controls can block, by the second part of their checks' ids. */
const controlled = {
  'create-organization-repository': changeEndpoints.createOrgRepository,
  'create-user-repository': changeEndpoints.createUserRepository,
  'delete-organization': changeEndpoints.deleteOrganization,
  'remove-member': changeEndpoints.removeMember,
  'set-membership': changeEndpoints.setMembership,
  'accept-invitation': changeEndpoints.acceptInvitation,
} as const satisfies Readonly<Record<string, Endpoint>>

/** Changes 13 and 14: trade controls get a status of their own, and nothing else gets it (readings V12). */
export default suite({
  area: 'versioning',
  endpoint: changeEndpoints.createUserRepository,
  checks: Object.entries(controlled).flatMap(([operation, endpoint]) =>
    partsOn(endpoint, 'status').flatMap(({ change, part }) => controlChecks(operation, endpoint, change, part)),
  ),
})

function controlChecks(operation: string, endpoint: Endpoint, change: ChangeNumber, part: StatusPart): Check[] {
  const { older, newer, early } = part
  const needs = {
    ...callers,
    blocked: need('trade-restricted-request', { change, method: endpoint.method, path: endpoint.path ?? '' }),
  }
  const shared = { requirement: `versioning.change-${change}`, endpoint, writes: true }
  const shows = shownStatus(change, endpoint)
  const blocked = (status: number, level: Level, version: ApiVersion) =>
    check({
      id: `versioning.${operation}.blocked-${status}`,
      ...shared,
      needs,
      shows,
      level,
      versions: [version],
      title: `returns ${status} when trade controls block the request`,
      run: async (t, resolved) => {
        t.expect(await askBlocked(t, endpoint, resolved)).status(status)
      },
    })
  return [
    blocked(newer, 'must', latestVersion),
    blocked(older, early, firstVersion),
    check({
      id: `versioning.${operation}.unblocked-not-${newer}`,
      ...shared,
      needs: { owner: role('owner') },
      level: 'must',
      title: `returns a status other than ${newer} for an ordinary error`,
      run: async (t, { owner }) => unblockedDiffers(t, endpoint, newer, owner),
    }),
  ]
}

/**
 * Expects another status for ordinary errors than for blocked requests. The endpoint counts as offered if its errors differ from
 * those of an address that does not exist.
 */
async function unblockedDiffers(t: CheckContext, endpoint: Endpoint, reserved: number, owner: Caller): Promise<void> {
  const callers = endpoint.path?.includes('{') ? [await bareApp(t), owner, anonymous] : [anonymous]
  const body = { name: 'conformance' }
  let told = false
  for (const as of callers) {
    if (!as || (told && as === anonymous)) continue
    const response = await t.send({ endpoint, params: absentNames(t, endpoint), body, as })
    const { status } = response
    t.expect(response).satisfy(`another status than ${reserved}`, status !== reserved, String(status))
    const nowhere = { method: endpoint.method, path: t.unused(inventedAddress) }
    told ||= response.rejected && status !== (await t.send({ endpoint: nowhere, body, as })).status
  }
  if (!told)
    t.untested('the responses are those of an address that does not exist, so nothing shows that the endpoint is supported')
}

type Needs = Callers & { readonly blocked: DeclaredRequest }

/** Sends the blocked request; a deletion only where its object may go. */
async function askBlocked(t: CheckContext, endpoint: Endpoint, needs: Needs): Promise<Exchange> {
  const { path, body, as = 'restricted', disposable } = needs.blocked
  const how = 'mark the request as disposable, and let it name an organization that may be deleted'
  const spared = endpoint === changeEndpoints.deleteOrganization && !disposable
  if (spared) t.untested('the organization is not marked as disposable', [{ need: 'trade-restricted-request', how }])
  return t.send({ endpoint, path, as: callerOf(t, needs, as), ...(body === undefined ? {} : { body }) })
}

/** Names that nothing on the target has, so that the request finds nothing to act on. */
function absentNames(t: CheckContext, endpoint: Endpoint): Record<string, string> {
  const absent = (name: string) => (name.endsWith('_id') ? '2147483646' : t.unused('absent-'))
  return Object.fromEntries(pathParameters(endpoint.path ?? '').map((name) => [name, absent(name)]))
}
