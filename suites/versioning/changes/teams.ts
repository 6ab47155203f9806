import { changeEndpoints, partOf } from '../../../src/spec/changes/changes.ts'
import type { ApiVersion } from '../../../src/spec/versions.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject, type JsonObject } from '../../../src/suite/located.ts'
import { need, type Resolved, role } from '../../../src/suite/needs.ts'
import { changeRow, shownRequest, specOf } from '../common/change-row.ts'
import {
  expectAccepted,
  expectNoEffect,
  expectOffered,
  sendInBoth,
  undoLater,
} from '../common/requests.ts'

const endpoint = changeEndpoints.createTeam
const needs = { organization: need('organization'), owner: role('org-owner') }
type Needs = Resolved<typeof needs>
const { field, early } = partOf(2, 'request')
const shows = shownRequest(2)

/** Change 2: the request property `permission` goes; a target may then ignore or refuse it (readings V13). */
export const teamPermission = changeRow({
  change: 2,
  name: 'create-team',
  endpoint,
  needs,
  schedule: 'alone',
  newer: {
    'without-permission': {
      title: `creates a team when ${field} is absent`,
      judge: async (t, _, needs) => {
        const plain = await createTeam(t, needs)
        const { status } = plain.response
        if (status === 400 || status === 422) {
          const { response: other } = await createTeam(t, needs, { permission: 'push' })
          t.expect(other, plain.response).satisfy(
            'a team without permission',
            !other.ok,
            `${status}, and ${other.status} with permission`,
          )
        }
        expectCreated(t, needs, plain)
        t.examined(1)
      },
    },
    'permission-not-honoured': {
      title: `ignores or rejects ${field} in the request body`,
      shows,
      // A team has the requested permission, instead of the usual one, under the older version alone.
      judge: async (t, _, needs) => {
        const plain = expectCreated(t, needs, await createTeam(t, needs))
        const [usual] = await permissionsOf(t, needs, plain)
        const permission = usual === 'push' ? 'pull' : 'push'
        await expectNoEffect(t, field, async (version) => {
          const made = await createTeam(t, needs, { permission }, version)
          const { response } = made
          const shown = response.ok
            ? await permissionsOf(t, needs, expectCreated(t, needs, made))
            : []
          if (response.ok && shown.length === 0)
            t.untested('the permission of a team cannot be read')
          return { response, hasEffect: shown.includes(permission), exchanges: [response] }
        })
      },
    },
  },
  early,
  older: {
    'permission-accepted': {
      title: `accepts ${field} in the request body`,
      shows,
      judge: async (t, _, needs) => {
        const control = await createTeam(t, needs)
        expectCreated(t, needs, control)
        // The document lists no values; one of the usual two must be accepted.
        let { response } = await createTeam(t, needs, { permission: 'push' })
        if (!response.ok) response = (await createTeam(t, needs, { permission: 'pull' })).response
        expectAccepted(t, field, response, control.response)
      },
    },
  },
})

/** Creates a team under an unused name, another one in each attempt, and removes it afterwards if the target permits that. */
async function createTeam(
  t: CheckContext,
  needs: Needs,
  more?: { permission: string },
  version: ApiVersion = t.apiVersion,
) {
  let name = ''
  const anew = () => {
    name = t.unused('conformance-')
    return { ...specOf(endpoint, needs), body: { name, ...more }, version }
  }
  const response = await sendInBoth(t, anew(), anew)
  const team = `the team ${name} of ${needs.organization.org}`
  // Only the team with the invented name is removed.
  const isAddressed = isObject(response.json) && response.json.slug === name
  if (response.ok && isAddressed) undoLater(t, team, teamSpec('DELETE', needs, name))
  if (response.ok && !isAddressed) t.leavesBehind(team)
  return { name, response }
}

function teamSpec(method: 'GET' | 'DELETE', { organization, owner }: Needs, team_slug: string) {
  return {
    endpoint: { method, path: '/orgs/{org}/teams/{team_slug}' },
    params: { ...organization, team_slug },
    as: owner,
  }
}

type Created = Awaited<ReturnType<typeof createTeam>>

/** Ends the check unless the requested team was created: any other one proves nothing. */
function expectCreated(t: CheckContext, needs: Needs, { name, response }: Created) {
  const { json } = expectOffered(t, specOf(endpoint, needs), response)
  if (!isObject(json)) return t.untested('the response is not a team')
  if (json.name !== name) t.untested('the response is another team than the requested one')
  return json
}

/** The permission of a created team, in the response and when it is read: either may hide an effect. */
async function permissionsOf(t: CheckContext, needs: Needs, team: JsonObject) {
  const slug = typeof team.slug === 'string' ? team.slug : t.untested('the team has no slug')
  const read = await t.send(teamSpec('GET', needs, slug))
  const shown = [team, read.ok && read.json].filter(isObject)
  return shown.flatMap(({ permission = [] }) => permission)
}
