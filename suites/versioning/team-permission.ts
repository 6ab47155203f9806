import { randomUUID } from 'node:crypto'
import type { Exchange } from '../../src/http/exchange.ts'
import { changeEndpoints } from '../../src/spec/change-endpoints.ts'
import { partOf } from '../../src/spec/changes.ts'
import { firstVersion, latestVersion } from '../../src/spec/versions.ts'
import { check, suite } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { isObject } from '../../src/suite/located.ts'
import { need, type Resolved, role } from '../../src/suite/needs.ts'
import { expectOffered, isServed } from './offered.ts'
import { shownRequest } from './shown-change.ts'

const endpoint = changeEndpoints.createTeam
const needs = { organization: need('organization'), owner: role('org-owner') }
type Needs = Resolved<typeof needs>
const { field, early } = partOf(2, 'request')
const shared = { requirement: 'versioning.change-2', needs, writes: true, schedule: 'alone' } as const

/** Change 2: the request property `permission` goes; a target may then ignore or refuse it (readings V13). */
export default suite({
  area: 'versioning',
  endpoint,
  checks: [
    check({
      id: 'versioning.create-team.without-permission',
      ...shared,
      level: 'must',
      title: `creates a team when ${field} is absent`,
      versions: [latestVersion],
      run: async (t, resolved) => plainTeam(t, resolved),
    }),
    check({
      id: 'versioning.create-team.permission-not-honoured',
      ...shared,
      level: 'must',
      shows: shownRequest(2),
      title: `ignores or rejects ${field} in the request body`,
      versions: [latestVersion],
      run: async (t, resolved) => withoutEffect(t, resolved),
    }),
    check({
      id: 'versioning.create-team.permission-accepted',
      ...shared,
      level: early,
      shows: shownRequest(2),
      title: `accepts ${field} in the request body`,
      versions: [firstVersion],
      run: async (t, resolved) => stillAccepted(t, resolved),
    }),
  ],
})

async function plainTeam(t: CheckContext, needs: Needs): Promise<void> {
  const plain = await createTeam(t, needs)
  if (plain.status === 400 || plain.status === 422) {
    const asked = await createTeam(t, needs, { permission: 'push' })
    const finding = { expected: 'a team without permission', actual: `${plain.status}, but ${asked.status} with permission` }
    if (isServed(asked)) t.deviation({ ...finding, exchanges: [plain, asked] })
  }
  expectCreated(t, needs, plain)
  t.examined(1)
}

async function withoutEffect(t: CheckContext, needs: Needs): Promise<void> {
  const usual = await permissionOf(t, needs, expectCreated(t, needs, await createTeam(t, needs)))
  const permission = usual === 'push' ? 'pull' : 'push'
  const answer = await createTeam(t, needs, { permission })
  const shown = isServed(answer) ? await permissionOf(t, needs, answer) : undefined
  if (isServed(answer) && shown === undefined) t.untested('the permission of a team cannot be read')
  if (isServed(answer) && shown === permission) {
    const expected = `a permission without effect (${JSON.stringify(usual)})`
    t.deviation({ expected, actual: JSON.stringify(shown), pointer: '/permission', exchanges: [answer] })
  }
  if (answer.status >= 500) t.deviation({ expected: 'no server error', actual: String(answer.status), exchanges: [answer] })
  t.examined(1)
}

/** The document shows no values; one of the usual two must be taken. */
async function stillAccepted(t: CheckContext, needs: Needs): Promise<void> {
  expectCreated(t, needs, await createTeam(t, needs))
  const answers = [await createTeam(t, needs, { permission: 'push' })]
  if (!answers.some(isServed)) answers.push(await createTeam(t, needs, { permission: 'pull' }))
  const actual = answers.map(({ status }) => status).join(' and ')
  if (!answers.some(isServed)) t.deviation({ expected: 'a team with a permission', actual, exchanges: answers })
  t.examined(1)
}

/** Creates a team under a name that nobody else has, and removes it afterwards where the target lets it. */
async function createTeam(
  t: CheckContext,
  { organization, owner }: Needs,
  more: { permission?: string } = {},
): Promise<Exchange> {
  const name = `conformance-${randomUUID().slice(0, 13)}`
  const answer = await t.send({ endpoint, params: organization, body: { name, ...more }, as: owner })
  const slug = isObject(answer.json) ? answer.json.slug : undefined
  if (isServed(answer))
    t.cleanUp(`the team ${name} of ${organization.org}`, () => removeTeam(t, { organization, owner }, name, slug))
  return answer
}

async function removeTeam(t: CheckContext, { organization, owner }: Needs, name: string, slug: unknown): Promise<void> {
  const path = '/orgs/{org}/teams/{team_slug}'
  // Only what bears the name that was made up is removed.
  if (slug !== name) throw new Error('the team cannot be addressed')
  const gone = await t.send({ endpoint: { method: 'DELETE', path }, params: { ...organization, team_slug: name }, as: owner })
  if (!isServed(gone)) throw new Error(`answered ${gone.status}`)
}

/** Ends the check unless a team was created. */
function expectCreated(t: CheckContext, { organization, owner }: Needs, answer: Exchange): Exchange {
  const shown = expectOffered(t, { endpoint, params: organization, as: owner }, answer)
  return isObject(shown.json) ? shown : t.untested('the response is not a team')
}

/** The permission that a created team shows, at once or when it is read. */
async function permissionOf(t: CheckContext, { organization, owner }: Needs, { json }: Exchange): Promise<unknown> {
  if (!isObject(json) || 'permission' in json || typeof json.slug !== 'string')
    return isObject(json) ? json.permission : undefined
  const team = { method: 'GET', path: '/orgs/{org}/teams/{team_slug}' } as const
  const read = await t.send({ endpoint: team, params: { ...organization, team_slug: json.slug }, as: owner })
  return isServed(read) && isObject(read.json) ? read.json.permission : undefined
}
