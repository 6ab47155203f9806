import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import { changeEndpoints, partOf } from '../../../src/spec/changes/changes.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { itemsOf } from '../../../src/suite/located.ts'
import { need, optional, type Resolved, role } from '../../../src/suite/needs.ts'
import { atPointer } from '../../../src/text/data.ts'
import { inventedToken } from '../../common/proof.ts'
import { expectOffered, ofChange, sendInBoth, shownRequest } from '../common/change.ts'

const endpoint = changeEndpoints.setOrganizationSecret
const needs = {
  owner: role('org-owner'),
  outsider: optional(role('outsider')),
  secret: need('organization-secret'),
  repository: optional(need('public-repository')),
}
type Needs = Resolved<typeof needs>
const { field, early } = partOf(20, 'request')
const setting = { id: 'versioning.set-organization-secret', endpoint, needs, writes: true, schedule: 'alone' } as const
const { both, underLatest } = ofChange(20, setting)
const shows = shownRequest(20)

/** Change 20: repository ids are integers; the older version may accept strings or reject them (readings V14). */
export default both.suite([
  both.check('integers-accepted', `accepts integers in ${field}`, { level: early, shows }, async (t, resolved) => {
    const response = await sendInBoth(t, settingOf(resolved, await idsOf(t, resolved)))
    const known = resolved.secret.body !== undefined && resolved.secret.repository_ids !== undefined
    if (known && [400, 422].includes(response.status)) t.expect(response).status(201, 204)
    expectOffered(t, { endpoint, as: resolved.owner }, response)
    await requireRefusal(t, resolved)
    t.examined(1)
  }),
  underLatest.check('strings-refused', `rejects strings in ${field}`, { shows }, (t, resolved) =>
    expectRejected(t, resolved, (ids) => ids.map(String)),
  ),
  underLatest.check('mixed-refused', `rejects any other single value among integers in ${field}`, (t, resolved) =>
    // Doubles beyond 2^52 have no fractions.
    expectRejected(
      t,
      resolved,
      (ids) => [...ids, String(ids[0])],
      (ids) => [true, ...ids],
      (ids) => [...ids, null],
      (ids) => [...ids, Number.isInteger(Number(ids[0]) + 0.5) ? 0.5 : Number(ids[0]) + 0.5],
    ),
  ),
])

/** The control: the endpoint rejects an unrelated user, or an invented token. */
async function requireRefusal(t: CheckContext, needs: Needs): Promise<void> {
  const ids = await idsOf(t, needs)
  const response = await put(t, { ...needs, owner: needs.outsider ?? inventedToken }, ids)
  if (response.ok) t.untested('the request is accepted from an unrelated user or an invented token, too')
}

async function expectRejected(t: CheckContext, needs: Needs, ...spellings: ((ids: number[]) => unknown[])[]): Promise<void> {
  const ids = await idsOf(t, needs)
  const control = await put(t, needs, ids)
  if (!control.ok) t.untested(`integers are not accepted either (${control.status})`)
  for (const spell of spellings) {
    const response = await put(t, needs, spell(ids))
    t.expect(response, control).satisfy('a rejection (4xx)', response.rejected, String(response.status))
  }
}

const put = (t: CheckContext, needs: Needs, ids: unknown[]) => t.send(settingOf(needs, ids))

/** The rest of the body is open: a usual one is sent unless the need contains one. */
function settingOf({ owner, secret }: Needs, ids: unknown[]): RequestSpec {
  const { org, secret_name, body = { encrypted_value: 'c2VhbGVk', key_id: '1' } } = secret
  const whole = { visibility: 'selected', ...body, [field]: ids }
  return { endpoint, params: { org, secret_name }, body: whole, as: owner }
}

/** Repositories that may use the secret: those of the need, or the public repository, whose events contain its id. */
async function idsOf(t: CheckContext, { owner, secret, repository }: Needs): Promise<number[]> {
  if (secret.repository_ids) return secret.repository_ids
  if (!repository) return t.untested('no repository id is known', 'organization-secret')
  const [event] = itemsOf(await t.read({ endpoint: endpoints.repositoryEvents, params: repository, as: owner }))
  const id = atPointer(event?.value, '/repo/id')
  return typeof id === 'number' && Number.isInteger(id) ? [id] : t.untested('no repository id is known', 'organization-secret')
}
