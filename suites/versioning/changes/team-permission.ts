import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { changeEndpoints, partOf } from '../../../src/spec/changes/changes.ts'
import { type ApiVersion, firstVersion } from '../../../src/spec/versions.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject } from '../../../src/suite/located.ts'
import { need, type Resolved, role } from '../../../src/suite/needs.ts'
import { expectNoServerError } from '../../common/access.ts'
import { expectOffered, ofChange, sendInBoth, shownRequest } from '../common/change.ts'

const endpoint = changeEndpoints.createTeam
const needs = { organization: need('organization'), owner: role('org-owner') }
type Needs = Resolved<typeof needs>
const { field, early } = partOf(2, 'request')
const creation = { id: 'versioning.create-team', endpoint, needs, writes: true, schedule: 'alone' } as const
const { both, underLatest, underFirst } = ofChange(2, creation)
const shows = shownRequest(2)

/** Change 2: the request property `permission` goes; a target may then ignore or refuse it (readings V13). */
export default both.suite([
  underLatest.check('without-permission', `creates a team when ${field} is absent`, expectPlainTeam),
  underLatest.check('permission-not-honoured', `ignores or rejects ${field} in the request body`, { shows }, expectNoEffect),
  underFirst.check('permission-accepted', `accepts ${field} in the request body`, { level: early, shows }, expectAccepted),
])

async function expectPlainTeam(t: CheckContext, needs: Needs): Promise<void> {
  const plain = await createTeam(t, needs)
  const { status } = plain.response
  if (status === 400 || status === 422) {
    const { response: other } = await createTeam(t, needs, { permission: 'push' })
    const finding = { expected: 'a team without permission', actual: `${status}, and ${other.status} with permission` }
    if (other.ok) t.deviation({ ...finding, exchanges: [plain.response, other] })
  }
  expectCreated(t, needs, plain)
  t.examined(1)
}

/** The control: under the older version, a team has the requested permission instead of the usual one. */
async function expectNoEffect(t: CheckContext, needs: Needs): Promise<void> {
  const [usual] = await permissionsOf(t, needs, expectCreated(t, needs, await createTeam(t, needs)))
  const permission = usual === 'push' ? 'pull' : 'push'
  const former = expectCreated(t, needs, await createTeam(t, needs, { permission }, firstVersion))
  const honoured = (await permissionsOf(t, needs, former)).includes(permission)
  if (!honoured) t.untested(`${field} has no effect under ${firstVersion} either, or cannot be read`)
  const made = await createTeam(t, needs, { permission })
  const { response } = made
  expectNoServerError(t, response)
  const shown = response.ok ? await permissionsOf(t, needs, expectCreated(t, needs, made)) : []
  if (response.ok && shown.length === 0) t.untested('the permission of a team cannot be read')
  if (shown.includes(permission)) {
    const expected = `a permission without effect (${JSON.stringify(usual)})`
    t.deviation({ expected, actual: JSON.stringify(permission), pointer: '/permission', exchanges: [former, response] })
  }
  t.examined(1)
}

/** The document lists no values; one of the usual two must be accepted. */
async function expectAccepted(t: CheckContext, needs: Needs): Promise<void> {
  expectCreated(t, needs, await createTeam(t, needs))
  const responses = [(await createTeam(t, needs, { permission: 'push' })).response]
  if (!responses.some(({ ok }) => ok)) responses.push((await createTeam(t, needs, { permission: 'pull' })).response)
  const actual = responses.map(({ status }) => status).join(' and ')
  if (!responses.some(({ ok }) => ok)) t.deviation({ expected: 'a team with a permission', actual, exchanges: responses })
  t.examined(1)
}

/** Creates a team under an unused name, another one in each attempt, and removes it afterwards if the target permits that. */
async function createTeam(t: CheckContext, { organization, owner }: Needs, more?: { permission: string }, version?: ApiVersion) {
  let name = ''
  const named = version === undefined ? {} : { version }
  const anew = () => {
    name = t.unused('conformance-')
    return { endpoint, params: organization, body: { name, ...more }, as: owner, ...named }
  }
  const response = await sendInBoth(t, anew(), anew)
  const slug = isObject(response.json) ? response.json.slug : undefined
  if (response.ok) t.cleanUp(`the team ${name} of ${organization.org}`, () => removeTeam(t, { organization, owner }, name, slug))
  return { name, response }
}

async function removeTeam(t: CheckContext, { organization, owner }: Needs, name: string, slug: unknown): Promise<void> {
  const path = '/orgs/{org}/teams/{team_slug}'
  // Only the team with the invented name is removed.
  if (slug !== name) throw new Error('the team cannot be addressed')
  const gone = await t.send({ endpoint: { method: 'DELETE', path }, params: { ...organization, team_slug: name }, as: owner })
  if (!gone.ok) throw new Error(`answered ${gone.status}`)
}

type Created = Awaited<ReturnType<typeof createTeam>>

/** Ends the check unless the requested team was created: any other one proves nothing. */
function expectCreated(t: CheckContext, { organization, owner }: Needs, { name, response }: Created): Exchange {
  const shown = expectOffered(t, { endpoint, params: organization, as: owner }, response)
  if (!isObject(shown.json)) return t.untested('the response is not a team')
  if (shown.json.name !== name) t.untested('the response is another team than the requested one')
  return shown
}

/** The permission of a created team, in the response and when it is read: either may hide an effect. */
async function permissionsOf(t: CheckContext, { organization, owner }: Needs, { json }: Exchange): Promise<unknown[]> {
  const team_slug = isObject(json) && typeof json.slug === 'string' ? json.slug : t.untested('the team has no slug')
  const endpoint = { method: 'GET', path: '/orgs/{org}/teams/{team_slug}' } as const
  const read = await t.send({ endpoint, params: { ...organization, team_slug }, as: owner })
  return [json, read.ok && read.json].flatMap((team) => (isObject(team) && 'permission' in team ? [team.permission] : []))
}
