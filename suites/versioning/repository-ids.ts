import { changeEndpoints } from '../../src/spec/change-endpoints.ts'
import { latestVersion } from '../../src/spec/versions.ts'
import { check, suite } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { need, type Resolved, role } from '../../src/suite/needs.ts'
import type { Exchange } from '../../src/target/exchange.ts'
import { isServed, offered } from './offered.ts'

const endpoint = changeEndpoints.setOrganizationSecret
const needs = { owner: role('org-owner'), secret: need('organization-secret') }
type Needs = Resolved<typeof needs>
const shared = { requirement: 'versioning.change-20', level: 'must', needs, writes: true, schedule: 'alone' } as const

/** Change 20: repository ids are integers; what the older version does with strings is open (readings V14). */
export default suite({
  area: 'versioning',
  endpoint,
  checks: [
    check({
      id: 'versioning.set-organization-secret.integers-accepted',
      ...shared,
      title: 'accepts selected_repository_ids that are integers',
      run: async (t, resolved) => {
        const ids = idsOf(t, resolved)
        const answer = await put(t, resolved, ids)
        if (answer.status === 422 || answer.status === 400) t.expect(answer).status(201, 204)
        offered(t, { endpoint, as: resolved.owner }, answer)
        t.examined(1)
      },
    }),
    check({
      id: 'versioning.set-organization-secret.strings-refused',
      ...shared,
      title: 'refuses selected_repository_ids that are strings',
      versions: [latestVersion],
      run: async (t, resolved) => refused(t, resolved, (ids) => ids.map(String)),
    }),
    check({
      id: 'versioning.set-organization-secret.mixed-refused',
      ...shared,
      title: 'refuses selected_repository_ids of which one is a string',
      versions: [latestVersion],
      run: async (t, resolved) => refused(t, resolved, (ids) => [...ids, String(ids[0])]),
    }),
  ],
})

async function refused(t: CheckContext, needs: Needs, spell: (ids: number[]) => unknown[]): Promise<void> {
  const ids = idsOf(t, needs)
  const control = await put(t, needs, ids)
  if (!isServed(control)) t.untested(`integers are not accepted either (${control.status})`)
  const answer = await put(t, needs, spell(ids))
  const holds = answer.status >= 400 && answer.status < 500
  if (!holds) t.deviation({ expected: 'a refusal of strings (4xx)', actual: String(answer.status), exchanges: [control, answer] })
  t.examined(1)
}

function put(t: CheckContext, { owner, secret }: Needs, selected_repository_ids: unknown[]): Promise<Exchange> {
  const { org, secret_name, body = {} } = secret
  return t.send({
    endpoint,
    params: { org, secret_name },
    body: { visibility: 'selected', ...body, selected_repository_ids },
    as: owner,
  })
}

/** The document shows neither the rest of the body nor which repositories there are. */
function idsOf(t: CheckContext, { secret }: Needs): number[] {
  const { body, repository_ids: ids } = secret
  const how = 'add body and repository_ids to the need organization-secret'
  if (body === undefined || ids === undefined)
    t.untested('no valid body for the secret is known', [{ need: 'organization-secret', how }])
  return ids as number[]
}
