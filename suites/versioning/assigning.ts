import type { DeclaredRequest } from '../../src/spec/needs.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { isObject } from '../../src/suite/located.ts'
import type { Exchange } from '../../src/target/exchange.ts'
import { declaredSpec, type Family } from './declared.ts'
import { isServed, offered } from './offered.ts'

type Assigning = DeclaredRequest & { readonly body: { readonly assignee: unknown } }

/** The declared requests that assign somebody through `assignee`. */
function assigning(t: CheckContext, { family }: Family): Assigning[] {
  const found = family.requests.filter((request): request is Assigning => {
    const { method, body, disposable } = request
    return method === 'PATCH' && disposable === true && isObject(body) && typeof body.assignee === 'string'
  })
  const how = 'declare a disposable PATCH of an issue for change 19, with an assignee in its body'
  return found.length > 0 ? found : t.untested('no request with an assignee is declared', [{ need: 'version-request', how }])
}

/** Under the newer version `assignee` may be refused or ignored (readings V13); the issue has nobody assigned before. */
export async function assigneeWithoutEffect(t: CheckContext, needs: Family): Promise<void> {
  for (const request of assigning(t, needs)) {
    const { assignee, ...rest } = request.body
    const cleared = await unassign(t, needs, request, rest)
    const spec = declaredSpec(t, needs, 19, request)
    const answer = await t.send(spec)
    if (answer.status >= 500) t.deviation({ expected: 'no server error', actual: String(answer.status), exchanges: [answer] })
    const read = await t.send({ ...declaredSpec(t, needs, 19, { method: 'GET', path: request.path }), as: spec.as })
    if (isServed(answer) && (assigned(answer) ?? []).concat(assigned(read) ?? []).includes(assignee)) {
      const exchanges = [cleared, answer, read]
      t.deviation({
        expected: 'an assignee without effect',
        actual: `${JSON.stringify(assignee)} among the assignees`,
        exchanges,
      })
    }
    await unassign(t, needs, request, rest)
    t.examined(1)
  }
}

export async function assigneeAccepted(t: CheckContext, needs: Family): Promise<void> {
  for (const request of assigning(t, needs)) {
    const { assignee: _, ...rest } = request.body
    const control = await unassign(t, needs, request, rest)
    const answer = await t.send(declaredSpec(t, needs, 19, request))
    if (!isServed(answer)) {
      t.deviation({ expected: 'an assignee to be accepted', actual: String(answer.status), exchanges: [control, answer] })
    }
    await unassign(t, needs, request, rest)
    t.examined(1)
  }
}

/** The same request with nobody in `assignees`: it puts the issue back, and is the control. Ends the check where it is not served. */
async function unassign(t: CheckContext, needs: Family, request: DeclaredRequest, rest: object): Promise<Exchange> {
  const spec = declaredSpec(t, needs, 19, { ...request, body: { ...rest, assignees: [] } })
  const answer = offered(t, spec, await t.send(spec))
  const left = assigned(answer)
  return left?.length === 0 ? answer : t.untested('the assignees cannot be cleared through assignees')
}

/** The logins of the assignees. */
function assigned({ json }: Exchange): unknown[] | undefined {
  const assignees = isObject(json) ? json.assignees : undefined
  return Array.isArray(assignees) ? assignees.map((user) => (isObject(user) ? user.login : user)) : undefined
}
