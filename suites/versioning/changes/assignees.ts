import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { familyOf, partOf } from '../../../src/spec/changes/changes.ts'
import type { DeclaredRequest } from '../../../src/spec/needs.ts'
import { type ApiVersion, firstVersion } from '../../../src/spec/versions.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject } from '../../../src/suite/located.ts'
import { eventually, unchanged } from '../../../src/suite/observe.ts'
import { unlessUntested } from '../../common/proof.ts'
import { changeRow, shownRequest } from '../common/change-row.ts'
import { declaredSpec, type Family, familyNeeds, maySend } from '../common/declared.ts'
import { expectAccepted, expectEffect, expectNoEffect, sendOffered } from '../common/requests.ts'

const { field, early } = partOf(19, 'request')

/** Change 19 in requests: issues and pull requests are assigned through `assignees` alone. */
export const assigning = changeRow({
  change: 19,
  name: 'issues',
  endpoint: familyOf(19, 'PATCH'),
  needs: familyNeeds(19),
  schedule: 'alone',
  shows: shownRequest(19),
  newer: {
    'assignee-not-honoured': {
      title: 'ignores or rejects an assignee in the request body',
      judge: (t, _, needs) =>
        forEachAssigning(t, needs, async (request) => {
          const control = await assign(t, needs, request, firstVersion)
          const assigned = async (version: ApiVersion, by = request) =>
            version === firstVersion ? control : assign(t, needs, by, version)
          await expectNoEffect(t, field, assigned)
          if (request.method !== 'PATCH') return
          const beside = { ...request, body: { ...request.body, assignees: [] } }
          await unlessUntested(
            expectNoEffect(t, field, (version) => assign(t, needs, request, version, null)),
          )
          await unlessUntested(expectNoEffect(t, field, (version) => assigned(version, beside)))
        }),
    },
  },
  early,
  older: {
    'assignee-honoured': {
      title: 'applies the assignee in the request body',
      level: 'should',
      judge: (t, _, needs) =>
        forEachAssigning(t, needs, (request) =>
          expectEffect(t, field, (version) => assign(t, needs, request, version)),
        ),
    },
    'assignee-accepted': {
      title: 'accepts an assignee in the request body',
      judge: (t, _, needs) =>
        forEachAssigning(t, needs, async (request) => {
          const control = await prepare(t, needs, request)
          expectAccepted(t, field, await t.send(declaredSpec(t, needs, 19, request)), control)
        }),
    },
  },
})

type Assigning = DeclaredRequest & { readonly body: { readonly assignee: string } }

/** Judges the declared requests that assign a user through `assignee`: to an existing issue, or to a new one. */
async function forEachAssigning(
  t: CheckContext,
  needs: Family,
  judge: (request: Assigning) => Promise<void>,
) {
  const requests = needs.family.requests.filter((request): request is Assigning => {
    const { method, body } = request
    return (
      ['PATCH', 'POST'].includes(method) &&
      maySend(request) &&
      isObject(body) &&
      typeof body.assignee === 'string'
    )
  })
  if (requests.length === 0)
    t.untested('no request with an assignee is declared', [
      {
        need: 'version-request',
        how: 'declare a PATCH or POST of an issue for change 19, with an assignee in its body',
      },
    ])
  for (const request of requests) {
    const without = { ...request, body: { assignees: [] } }
    if (request.method === 'PATCH')
      t.cleanUp(`the assignee of ${request.path}`, () =>
        t.send(declaredSpec(t, needs, 19, without)),
      )
    await judge(request)
  }
}

/**
 * Assigns a user under a version, or ends the assignment by null, and reads the issue back. Under the older version the effect must
 * last; under the newer version any response may show it.
 */
async function assign(
  t: CheckContext,
  needs: Family,
  request: Assigning,
  version: ApiVersion,
  assignee: string | null = request.body.assignee,
) {
  const wanted = request.body.assignee.toLowerCase()
  const control = await prepare(t, needs, request, assignee === null ? [request.body.assignee] : [])
  const response = await t.send({
    ...declaredSpec(t, needs, 19, { ...request, body: { ...request.body, assignee } }),
    version,
  })
  const isDone = (each: Exchange) => {
    const logins = assigneesIn(each)
    return assignee === null ? logins?.length === 0 : (logins?.includes(wanted) ?? false)
  }
  const read = () =>
    t.send(declaredSpec(t, needs, 19, { ...request, method: 'GET', body: undefined }))
  const exchanges = [control, response]
  const mustLast = version === firstVersion
  // A new issue has no known address.
  if (response.ok && request.method === 'PATCH') {
    // Replicas and caches may return the issue from before it was prepared (readings G16).
    const same = (a: Exchange, b: Exchange) => isDone(a) === isDone(b)
    if (!mustLast && !(await unchanged(t, 'the issue to be at rest', read, same)))
      t.untested('the issue changes')
    const { last } = await eventually(t, 'the assignee', read, (each) => isDone(each) === mustLast)
    if (last.ok) exchanges.push(last)
  }
  const effects = exchanges.slice(1).map((each) => each.ok && isDone(each))
  const hasEffect = mustLast ? effects.at(-1) === true : effects.includes(true)
  return { response, hasEffect, exchanges }
}

/** The control: the same request without `assignee`. It sets these assignees of an existing issue. Ends the check unless it is served. */
async function prepare(
  t: CheckContext,
  needs: Family,
  request: Assigning,
  assignees: string[] = [],
) {
  const { assignee: _, ...rest } = request.body
  const isUpdate = request.method === 'PATCH'
  const specFor = (body: object) =>
    declaredSpec(t, needs, 19, { ...request, body: { ...rest, ...body } })
  const response = await sendOffered(t, specFor(isUpdate ? { assignees } : {}))
  if (assigneesIn(response)?.length !== assignees.length)
    t.untested('the issue does not have the assignees of its request')
  return response
}

/** The logins of the assignees, in lower case. */
function assigneesIn({ json }: Exchange) {
  const assignees = isObject(json) ? json.assignees : undefined
  if (!Array.isArray(assignees)) return undefined
  return assignees.map((user) => String(isObject(user) ? user.login : user).toLowerCase())
}
