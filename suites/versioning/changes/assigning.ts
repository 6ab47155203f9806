import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { DeclaredRequest } from '../../../src/spec/needs.ts'
import { type ApiVersion, firstVersion, latestVersion } from '../../../src/spec/versions.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject } from '../../../src/suite/located.ts'
import { declaredSpec, type Family, maySend } from '../common/declared.ts'
import { expectOffered, isServed } from '../common/offered.ts'
import { readUntil } from '../common/read-back.ts'

type Assigning = DeclaredRequest & { readonly body: { readonly assignee: unknown } }

/** The declared requests that assign somebody through `assignee`: to an issue that there is, or to a new one. */
function assigning(t: CheckContext, { family }: Family): Assigning[] {
  const found = family.requests.filter((request): request is Assigning => {
    const { method, body } = request
    return ['PATCH', 'POST'].includes(method) && maySend(request) && isObject(body) && typeof body.assignee === 'string'
  })
  const how = 'declare a PATCH or POST of an issue for change 19, with an assignee in its body'
  return found.length > 0 ? found : t.untested('no request with an assignee is declared', [{ need: 'version-request', how }])
}

/**
 * Under the newer version `assignee` may be refused or ignored (readings V13); nobody is assigned before. That it assigns
 * somebody under the older version is the control: where it does not, it is not without effect only now.
 */
export async function assigneeWithoutEffect(t: CheckContext, needs: Family): Promise<void> {
  for (const request of assigning(t, needs)) {
    await requireHonoured(t, needs, request)
    const control = await unassigned(t, needs, request)
    const { answer, shown, seen } = await assign(t, needs, request, latestVersion)
    if (answer.status >= 500) t.deviation({ expected: 'no server error', actual: String(answer.status), exchanges: [answer] })
    const actual = `${JSON.stringify(request.body.assignee)} among the assignees`
    if (seen) t.deviation({ expected: 'no effect of the assignee', actual, exchanges: [control, ...shown] })
    t.examined(1)
  }
}

/** Under the older version somebody can be assigned through `assignee`, which reading the issue back shows. */
export async function assigneeHonoured(t: CheckContext, needs: Family): Promise<void> {
  for (const request of assigning(t, needs)) {
    await unassigned(t, needs, request)
    const { answer, shown, took } = await assign(t, needs, request, firstVersion)
    if (!isServed(answer)) t.untested(`the assignee was not accepted (${answer.status})`)
    const expected = `${JSON.stringify(request.body.assignee)} among the assignees`
    if (!took) t.deviation({ expected, actual: 'nobody', exchanges: shown })
    t.examined(1)
  }
}

async function requireHonoured(t: CheckContext, needs: Family, request: Assigning): Promise<void> {
  await unassigned(t, needs, request)
  const { took } = await assign(t, needs, request, firstVersion)
  if (!took) t.untested(`an assignee has no effect under ${firstVersion} either`)
}

interface Assigned {
  readonly answer: Exchange
  /** The answer and, where it can be read, the issue as it is afterwards. */
  readonly shown: readonly Exchange[]
  /** The last of them has the assignee. */
  readonly took: boolean
  /** One of them has the assignee. */
  readonly seen: boolean
}

/** Sends a request that assigns somebody under a version, and looks whether it did. */
async function assign(t: CheckContext, needs: Family, request: Assigning, version: ApiVersion): Promise<Assigned> {
  const answer = await t.send({ ...declaredSpec(t, needs, 19, request), version })
  const wanted = String(request.body.assignee).toLowerCase()
  const isAssigned = (each: Exchange) => assigned(each)?.some((login) => String(login).toLowerCase() === wanted) ?? false
  const read = () => readBack(t, needs, request)
  const after = async () => (version === firstVersion ? readUntil(t, 'the assignee', read, isAssigned) : await read())
  const later = isServed(answer) && request.method === 'PATCH' ? [await after()].filter(isServed) : []
  const shown = [answer, ...later]
  const found = shown.map((each) => isServed(each) && isAssigned(each))
  return { answer, shown, took: found.at(-1) === true, seen: found.includes(true) }
}

export async function assigneeAccepted(t: CheckContext, needs: Family): Promise<void> {
  for (const request of assigning(t, needs)) {
    const control = await unassigned(t, needs, request)
    const answer = await t.send(declaredSpec(t, needs, 19, request))
    if (!isServed(answer)) {
      t.deviation({ expected: 'an assignee to be accepted', actual: String(answer.status), exchanges: [control, answer] })
    }
    t.examined(1)
  }
}

/** The same request with nobody to assign, which is the control; an issue that there is, is put back like that. Ends the check where it is not served. */
async function unassigned(t: CheckContext, needs: Family, request: Assigning): Promise<Exchange> {
  const { assignee: _, ...rest } = request.body
  const spec = declaredSpec(t, needs, 19, { ...request, body: request.method === 'PATCH' ? { ...rest, assignees: [] } : rest })
  const answer = expectOffered(t, spec, await t.send(spec))
  if (assigned(answer)?.length !== 0) t.untested('an issue without assignees has no empty assignees array')
  if (request.method === 'PATCH') t.cleanUp(`the assignee of ${request.path}`, () => t.send(spec))
  return answer
}

/** The issue that was changed, read again; a new one has no known address. */
function readBack(t: CheckContext, needs: Family, { path, as }: Assigning): Promise<Exchange> {
  return t.send(declaredSpec(t, needs, 19, { method: 'GET', path, ...(as === undefined ? {} : { as }) }))
}

/** The logins of the assignees. */
function assigned({ json }: Exchange): unknown[] | undefined {
  const assignees = isObject(json) ? json.assignees : undefined
  return Array.isArray(assignees) ? assignees.map((user) => (isObject(user) ? user.login : user)) : undefined
}
