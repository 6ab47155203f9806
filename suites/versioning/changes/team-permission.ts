import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { changeEndpoints } from '../../../src/spec/change-endpoints.ts'
import { partOf } from '../../../src/spec/changes.ts'
import { type ApiVersion, firstVersion, latestVersion } from '../../../src/spec/versions.ts'
import { check, suite } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject } from '../../../src/suite/located.ts'
import { need, type Resolved, role } from '../../../src/suite/needs.ts'
import { expectOffered, isServed } from '../common/offered.ts'
import { shownRequest } from '../common/shown-change.ts'

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
  const { status } = plain.answer
  if (status === 400 || status === 422) {
    const { answer: asked } = await createTeam(t, needs, { permission: 'push' })
    const finding = { expected: 'a team without permission', actual: `${status}, but ${asked.status} with permission` }
    if (isServed(asked)) t.deviation({ ...finding, exchanges: [plain.answer, asked] })
  }
  expectCreated(t, needs, plain)
  t.examined(1)
}

/** A team shows another permission than usual when the older version is asked for it: that is the control. */
async function withoutEffect(t: CheckContext, needs: Needs): Promise<void> {
  const usual = await permissionOf(t, needs, expectCreated(t, needs, await createTeam(t, needs)))
  const permission = usual === 'push' ? 'pull' : 'push'
  const former = expectCreated(t, needs, await createTeam(t, needs, { permission }, firstVersion))
  const honoured = (await permissionOf(t, needs, former)) === permission
  if (!honoured) t.untested(`${field} has no effect under ${firstVersion} either, or cannot be read`)
  const made = await createTeam(t, needs, { permission })
  const { answer } = made
  if (answer.status >= 500) t.deviation({ expected: 'no server error', actual: String(answer.status), exchanges: [answer] })
  const shown = isServed(answer) ? await permissionOf(t, needs, expectCreated(t, needs, made)) : undefined
  if (isServed(answer) && shown === undefined) t.untested('the permission of a team cannot be read')
  if (shown === permission) {
    const expected = `a permission without effect (${JSON.stringify(usual)})`
    t.deviation({ expected, actual: JSON.stringify(shown), pointer: '/permission', exchanges: [former, answer] })
  }
  t.examined(1)
}

/** The document shows no values; one of the usual two must be taken. */
async function stillAccepted(t: CheckContext, needs: Needs): Promise<void> {
  expectCreated(t, needs, await createTeam(t, needs))
  const answers = [(await createTeam(t, needs, { permission: 'push' })).answer]
  if (!answers.some(isServed)) answers.push((await createTeam(t, needs, { permission: 'pull' })).answer)
  const actual = answers.map(({ status }) => status).join(' and ')
  if (!answers.some(isServed)) t.deviation({ expected: 'a team with a permission', actual, exchanges: answers })
  t.examined(1)
}

/** What came of a request for a team of this name. */
interface Asked {
  readonly name: string
  readonly answer: Exchange
}

/** Creates a team under a name that nobody else has, and removes it afterwards where the target lets it. */
async function createTeam(
  t: CheckContext,
  { organization, owner }: Needs,
  more: { permission?: string } = {},
  version?: ApiVersion,
): Promise<Asked> {
  const name = t.unused('conformance-')
  const named = version === undefined ? {} : { version }
  const answer = await t.send({ endpoint, params: organization, body: { name, ...more }, as: owner, ...named })
  const slug = isObject(answer.json) ? answer.json.slug : undefined
  if (isServed(answer))
    t.cleanUp(`the team ${name} of ${organization.org}`, () => removeTeam(t, { organization, owner }, name, slug))
  return { name, answer }
}

async function removeTeam(t: CheckContext, { organization, owner }: Needs, name: string, slug: unknown): Promise<void> {
  const path = '/orgs/{org}/teams/{team_slug}'
  // Only what bears the name that was made up is removed.
  if (slug !== name) throw new Error('the team cannot be addressed')
  const gone = await t.send({ endpoint: { method: 'DELETE', path }, params: { ...organization, team_slug: name }, as: owner })
  if (!isServed(gone)) throw new Error(`answered ${gone.status}`)
}

/** Ends the check unless the team that was asked for was created: any other one says nothing about the request. */
function expectCreated(t: CheckContext, { organization, owner }: Needs, { name, answer }: Asked): Exchange {
  const shown = expectOffered(t, { endpoint, params: organization, as: owner }, answer)
  if (!isObject(shown.json)) return t.untested('the response is not a team')
  if (shown.json.name !== name) t.untested('the response is another team than the one that was asked for')
  return shown
}

/** The permission that a created team shows, at once or when it is read. */
async function permissionOf(t: CheckContext, { organization, owner }: Needs, { json }: Exchange): Promise<unknown> {
  if (!isObject(json) || 'permission' in json || typeof json.slug !== 'string')
    return isObject(json) ? json.permission : undefined
  const team = { method: 'GET', path: '/orgs/{org}/teams/{team_slug}' } as const
  const read = await t.send({ endpoint: team, params: { ...organization, team_slug: json.slug }, as: owner })
  return isServed(read) && isObject(read.json) ? read.json.permission : undefined
}
