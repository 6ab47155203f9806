import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { familyOf, partOf } from '../../../src/spec/changes/changes.ts'
import type { DeclaredRequest } from '../../../src/spec/needs.ts'
import { type ApiVersion, firstVersion, latestVersion } from '../../../src/spec/versions.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject } from '../../../src/suite/located.ts'
import { eventually, everyTime, unchanged } from '../../../src/suite/observe.ts'
import { expectNoServerError } from '../../common/access.ts'
import { ofChange, sendOffered, shownRequest } from '../common/change.ts'
import { declaredSpec, type Family, familyNeeds, maySend } from '../common/declared.ts'

const { underLatest, underFirst } = ofChange(19, {
  id: 'versioning.issues',
  endpoint: familyOf(19, 'PATCH'),
  needs: familyNeeds(19),
  writes: true,
  schedule: 'alone',
  shows: shownRequest(19),
})

/** Change 19 in requests: issues and pull requests are assigned through `assignees` alone. */
export const assigning = [
  underLatest.check('assignee-not-honoured', 'ignores or rejects an assignee in the request body', expectAssigneeWithoutEffect),
  underFirst.check('assignee-honoured', 'applies the assignee in the request body', { level: 'should' }, expectAssigneeHonoured),
  underFirst.check(
    'assignee-accepted',
    'accepts an assignee in the request body',
    { level: partOf(19, 'request').early },
    expectAssigneeAccepted,
  ),
]

type Assigning = DeclaredRequest & { readonly body: { readonly assignee: unknown } }

/** The declared requests that assign a user through `assignee`: to an existing issue, or to a new one. */
function assigningRequests(t: CheckContext, { family }: Family): Assigning[] {
  const requests = family.requests.filter((request): request is Assigning => {
    const { method, body } = request
    return ['PATCH', 'POST'].includes(method) && maySend(request) && isObject(body) && typeof body.assignee === 'string'
  })
  const how = 'declare a PATCH or POST of an issue for change 19, with an assignee in its body'
  const missing = [{ need: 'version-request', how }]
  return requests.length > 0 ? requests : t.untested('no request with an assignee is declared', missing)
}

/** Under the newer version `assignee` may be refused or ignored (readings V13). The control: under the older version, it assigns the user. */
async function expectAssigneeWithoutEffect(t: CheckContext, needs: Family): Promise<void> {
  for (const request of assigningRequests(t, needs)) {
    await unassign(t, needs, request)
    const former = await assign(t, needs, request, firstVersion)
    if (!former.lasts) t.untested(`an assignee has no effect under ${firstVersion} either`)
    const actual = `${JSON.stringify(request.body.assignee)} among the assignees`
    const finding = await everyTime(t, async () => {
      const control = await unassign(t, needs, request)
      const { response, exchanges, hasEffect } = await assign(t, needs, request, latestVersion)
      expectNoServerError(t, response)
      return hasEffect ? { expected: 'no effect of the assignee', actual, exchanges: [control, ...exchanges] } : undefined
    })
    if (finding) t.deviation(finding)
    t.examined(1)
  }
}

/** Under the older version `assignee` assigns the user: the issue is read back. */
async function expectAssigneeHonoured(t: CheckContext, needs: Family): Promise<void> {
  for (const request of assigningRequests(t, needs)) {
    await unassign(t, needs, request)
    const { response, exchanges, lasts } = await assign(t, needs, request, firstVersion)
    if (!response.ok) t.untested(`the assignee was not accepted (${response.status})`)
    const expected = `${JSON.stringify(request.body.assignee)} among the assignees`
    if (!lasts) t.deviation({ expected, actual: 'no such assignee', exchanges })
    t.examined(1)
  }
}

/**
 * Assigns a user under a version, and reads the issue back. `lasts`: the last response has the assignee; `hasEffect`: any has.
 */
async function assign(t: CheckContext, needs: Family, request: Assigning, version: ApiVersion) {
  const response = await t.send({ ...declaredSpec(t, needs, 19, request), version })
  const wanted = String(request.body.assignee).toLowerCase()
  const isAssigned = (each: Exchange) => assigneesIn(each)?.some((login) => String(login).toLowerCase() === wanted) ?? false
  const { method, path, as } = request
  // A new issue has no known address.
  const read = () => t.send(declaredSpec(t, needs, 19, { method: 'GET', path, ...(as === undefined ? {} : { as }) }))
  // Replicas and caches may return the issue from before it was left without assignees (readings G16).
  const atRest = () => unchanged(t, 'the issue to be at rest', read, (a, b) => isAssigned(a) === isAssigned(b))
  const soonIs = async (is: boolean) => (await eventually(t, 'the assignee', read, (each) => isAssigned(each) === is)).last
  const last = async () => (version === firstVersion ? soonIs(true) : (await atRest()) && soonIs(false))
  const later =
    response.ok && method === 'PATCH' ? [(await last()) ?? t.untested('the issue changes')].filter(({ ok }) => ok) : []
  const exchanges = [response, ...later]
  const effects = exchanges.map((each) => each.ok && isAssigned(each))
  return { response, exchanges, lasts: effects.at(-1) === true, hasEffect: effects.includes(true) }
}

async function expectAssigneeAccepted(t: CheckContext, needs: Family): Promise<void> {
  for (const request of assigningRequests(t, needs)) {
    const control = await unassign(t, needs, request)
    const response = await t.send(declaredSpec(t, needs, 19, request))
    t.expect(response, control).satisfy('an assignee to be accepted', response.ok, String(response.status))
  }
}

/** The control: the same request without an assignee, which leaves an existing issue without any. Ends the check unless it is served. */
async function unassign(t: CheckContext, needs: Family, request: Assigning): Promise<Exchange> {
  const { assignee: _, ...rest } = request.body
  const spec = declaredSpec(t, needs, 19, { ...request, body: request.method === 'PATCH' ? { ...rest, assignees: [] } : rest })
  const response = await sendOffered(t, spec)
  if (assigneesIn(response)?.length !== 0) t.untested('an issue without assignees has no empty assignees array')
  if (request.method === 'PATCH') t.cleanUp(`the assignee of ${request.path}`, () => t.send(spec))
  return response
}

/** The logins of the assignees. */
function assigneesIn({ json }: Exchange): unknown[] | undefined {
  const assignees = isObject(json) ? json.assignees : undefined
  return Array.isArray(assignees) ? assignees.map((user) => (isObject(user) ? user.login : user)) : undefined
}
