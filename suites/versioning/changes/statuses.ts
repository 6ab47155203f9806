import { anonymous, bearer, type Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { changeEndpoints, partOf, partsOn } from '../../../src/spec/changes/changes.ts'
import { type Endpoint, pathParameters } from '../../../src/spec/endpoints.ts'
import type { DeclaredRequest } from '../../../src/spec/needs.ts'
import { firstVersion } from '../../../src/spec/versions.ts'
import { inventedAddress } from '../../../src/spec/words/addresses.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject } from '../../../src/suite/located.ts'
import { need, type Resolved, role } from '../../../src/suite/needs.ts'
import { changeRow, shownRequest, shownStatus } from '../common/change-row.ts'
import { type Callers, callerOf, callers } from '../common/declared.ts'
import { bareApp, sendOffered } from '../common/requests.ts'

/** The claim that each response has a status. The title continues with the circumstances. */
function returns(status: number, circumstances: string) {
  return {
    title: `returns ${status} ${circumstances}`,
    judge: (t: CheckContext, responses: readonly Exchange[]) => {
      for (const response of responses) t.expect(response).status(status)
    },
  }
}

const deletion = partOf(9, 'status')

/** Change 9: the deletion of an installation moves to the background. */
export const installation = changeRow({
  change: 9,
  name: 'delete-installation',
  endpoint: changeEndpoints.deleteInstallation,
  needs: { installation: need('disposable-installation') },
  shows: shownStatus(9, changeEndpoints.deleteInstallation),
  request: (t, { installation: { installation_id, token } }, endpoint) =>
    sendOffered(t, {
      endpoint,
      params: { installation_id },
      as: bearer(token, 'disposable-installation'),
    }),
  newer: { accepted: returns(deletion.newer, 'for the deletion of an installation') },
  early: deletion.early,
  older: { 'no-content': returns(deletion.older, 'for the deletion of an installation') },
})

/** The endpoints that trade controls can block, by the second part of their checks' ids. */
const controlled = {
  'create-organization-repository': changeEndpoints.createOrgRepository,
  'create-user-repository': changeEndpoints.createUserRepository,
  'delete-organization': changeEndpoints.deleteOrganization,
  'remove-member': changeEndpoints.removeMember,
  'set-membership': changeEndpoints.setMembership,
  'accept-invitation': changeEndpoints.acceptInvitation,
}

/** Changes 13 and 14: trade controls get a status of their own, and nothing else gets it (readings V12). */
export const tradeControls = Object.entries(controlled).flatMap(([name, endpoint]) =>
  partsOn(endpoint, 'status').flatMap(({ change, part: { older, newer, early } }) => {
    const row = { change, name, endpoint }
    const { method, path } = endpoint
    const blocked = need('trade-restricted-request', { change, method, path })
    const blockedWith = (status: number) => ({
      [`blocked-${status}`]: returns(status, 'when trade controls block the request'),
    })
    return [
      ...changeRow({
        ...row,
        needs: { ...callers, blocked },
        shows: shownStatus(change, endpoint),
        request: sendBlocked,
        newer: blockedWith(newer),
        early,
        older: blockedWith(older),
      }),
      ...changeRow({
        ...row,
        needs: { owner: role('owner') },
        both: {
          [`unblocked-not-${newer}`]: {
            title: `returns a status other than ${newer} for an ordinary error`,
            judge: (t, _, { owner }) => unblockedDiffers(t, endpoint, newer, owner),
          },
        },
      }),
    ]
  }),
)

/** Sends the blocked request twice, since each attempt is blocked; a deletion only where its object may go. */
async function sendBlocked(
  t: CheckContext,
  needs: Callers & { readonly blocked: DeclaredRequest },
  endpoint: Endpoint,
) {
  const { path, body, as = 'restricted', disposable } = needs.blocked
  if (endpoint === changeEndpoints.deleteOrganization && !disposable)
    t.untested('the organization is not marked as disposable', [
      {
        need: 'trade-restricted-request',
        how: 'mark the request as disposable, and let it name an organization that may be deleted',
      },
    ])
  const spec = { endpoint, path, as: callerOf(t, needs, as), body }
  const first = await t.send(spec)
  return first.ok ? [first] : [first, await t.send(spec)]
}

/**
 * Expects another status for ordinary errors than for blocked requests. The endpoint counts as offered if its errors differ from
 * those of an address that does not exist.
 */
async function unblockedDiffers(
  t: CheckContext,
  endpoint: Endpoint,
  reserved: number,
  owner: Caller,
) {
  const { method, path = '' } = endpoint
  const callers = path?.includes('{') ? [anonymous, await bareApp(t), owner] : [anonymous]
  const body = { name: 'conformance' }
  let told = false
  for (const as of callers) {
    if (!as) continue
    const response = await t.send({ endpoint, params: absentNames(t, endpoint), body, as })
    const { status } = response
    t.expect(response).satisfy(`another status than ${reserved}`, status !== reserved)
    told ||=
      response.rejected &&
      status !==
        (await t.send({ endpoint: { method, path: t.unused(inventedAddress) }, body, as })).status
  }
  if (!told)
    t.untested(
      'the responses are those of an address that does not exist, so nothing shows that the endpoint is supported',
    )
}

/** Names that nothing on the target has, so that the request finds nothing to act on. */
function absentNames(t: CheckContext, { path }: Endpoint) {
  const absent = (name: string) => (name.endsWith('_id') ? '2147483646' : t.unused('absent-'))
  return Object.fromEntries(pathParameters(path ?? '').map((name) => [name, absent(name)]))
}

const { older, newer, early } = partOf(18, 'status')
const parameter = partOf(18, 'request')
const { field } = parameter
const dispatching = {
  change: 18,
  name: 'dispatch-workflow',
  endpoint: changeEndpoints.dispatchWorkflow,
  needs: { owner: role('owner'), workflow: need('workflow') },
  request: dispatchPlainly,
}
type Dispatching = Resolved<typeof dispatching.needs>

/** Change 18: a dispatch returns the run that it started, without a parameter for that (readings V11). */
export const dispatch = [
  ...changeRow({
    ...dispatching,
    shows: shownStatus(18, dispatching.endpoint),
    newer: {
      'run-details': {
        title: `returns ${newer} with details of the run`,
        judge: (t, responses) => expectDetails(t, ...responses),
      },
    },
    early,
    older: { 'no-content': returns(older, 'when no run details are requested') },
  }),
  ...changeRow({
    ...dispatching,
    shows: shownRequest(18),
    newer: {
      'parameter-not-honoured': {
        title: `ignores or rejects ${field}`,
        judge: async (t, plain, needs) => {
          const response = await t.send(dispatchOf(needs, { [field]: false }))
          // A run in the response without the parameter only proves that the parameter is honoured.
          if (response.status >= 500 || (response.ok && plain.some(hasDetails)))
            expectDetails(t, response)
          // The control: under the older version, the parameter decides whether the response contains the run.
          const former = (more: object) =>
            t.send({ ...dispatchOf(needs, more), version: firstVersion })
          const without = await former({})
          const set = await former({ [field]: true })
          if (without.status !== older || set.status !== newer)
            t.untested(`${field} has no effect under ${firstVersion} either`)
          if (response.ok) expectDetails(t, response)
          t.examined(1)
        },
      },
    },
    early: parameter.early,
    older: {
      'parameter-accepted': {
        title: `accepts ${field} in the request body`,
        judge: async (t, [plain], needs) => {
          if (plain?.status !== older)
            t.untested(`a dispatch without return_run_details returned ${plain?.status}`)
          t.expect(await t.send(dispatchOf(needs, { [field]: false }))).status(newer, older)
        },
      },
    },
  }),
]

function dispatchOf({ owner, workflow }: Dispatching, more: object = {}) {
  const { ref = 'main', ...params } = workflow
  return { endpoint: dispatching.endpoint, params, body: { ref, ...more }, as: owner }
}

/** A dispatch without the parameter, sent once for all checks. */
function dispatchPlainly(t: CheckContext, needs: Dispatching) {
  return t.shared('a dispatched workflow', (once) => sendOffered(once, dispatchOf(needs)))
}

function hasDetails({ status, json }: Exchange) {
  return status === newer && isObject(json) && Object.values(json).some((value) => value !== null)
}

function expectDetails(t: CheckContext, ...responses: readonly Exchange[]) {
  for (const response of responses) {
    t.expect(response)
      .status(newer)
      .satisfy('an object with details of the run', hasDetails(response), 'none')
  }
}
