import { changeEndpoints, partOf } from '../../../src/spec/changes/changes.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { itemsOf } from '../../../src/suite/located.ts'
import { need, optional, type Resolved, role } from '../../../src/suite/needs.ts'
import { atPointer } from '../../../src/text/data.ts'
import { inventedToken } from '../../common/proof.ts'
import { changeRow, shownRequest, specOf } from '../common/change-row.ts'
import { expectOffered, sendInBoth } from '../common/requests.ts'

const endpoint = changeEndpoints.setOrganizationSecret
const needs = {
  owner: role('org-owner'),
  outsider: optional(role('outsider')),
  secret: need('organization-secret'),
  repository: optional(need('public-repository')),
}
type Needs = Resolved<typeof needs>
const { field, early } = partOf(20, 'request')
const shows = shownRequest(20)

/** Change 20: repository ids are integers; the older version may accept strings or reject them (readings V14). */
export const repositoryIds = changeRow({
  change: 20,
  name: 'set-organization-secret',
  endpoint,
  needs,
  schedule: 'alone',
  newer: {
    'strings-refused': {
      title: `rejects strings in ${field}`,
      shows,
      judge: (t, _, needs) => expectRejected(t, needs, (ids) => [ids.map(String)]),
    },
    'mixed-refused': {
      title: `rejects one other value among the integers of ${field}`,
      judge: (t, _, needs) =>
        expectRejected(t, needs, (ids) => {
          const [first = 0] = ids
          // Doubles beyond 2^52 have no fractions.
          const fraction = Number.isInteger(first + 0.5) ? 0.5 : first + 0.5
          return [
            [...ids, String(first)],
            [true, ...ids],
            [...ids, null],
            [...ids, fraction],
            [first, String(first), first],
          ]
        }),
    },
  },
  both: {
    'integers-accepted': {
      title: `accepts integers in ${field}`,
      shows,
      level: early,
      judge: async (t, _, needs) => {
        const ids = await idsOf(t, needs)
        const response = await sendInBoth(t, settingOf(needs, ids))
        const { body, repository_ids } = needs.secret
        const isKnown = body !== undefined && repository_ids !== undefined
        if (isKnown && [400, 422].includes(response.status)) t.expect(response).status(201, 204)
        expectOffered(t, { endpoint, as: needs.owner }, response)
        // The control: the endpoint refuses an unrelated user, or an invented token.
        const stranger = needs.outsider ?? inventedToken
        const refused = await t.send(settingOf({ ...needs, owner: stranger }, ids))
        if (refused.ok)
          t.untested('the request is accepted from an unrelated user or an invented token, too')
        t.examined(1)
      },
    },
  },
})

/** Expects that each list of values which `spell` makes is rejected. The control: the ids themselves are accepted. */
async function expectRejected(
  t: CheckContext,
  needs: Needs,
  spell: (ids: number[]) => unknown[][],
) {
  const ids = await idsOf(t, needs)
  const control = await t.send(settingOf(needs, ids))
  if (!control.ok) t.untested(`integers are not accepted either (${control.status})`)
  for (const values of spell(ids)) {
    const response = await t.send(settingOf(needs, values))
    t.expect(response, control).satisfy('a rejection (4xx)', response.rejected)
  }
}

/** The rest of the body is open: a usual one is sent unless the need contains one. */
function settingOf(needs: Needs, ids: unknown[]) {
  const { body = { encrypted_value: 'c2VhbGVk', key_id: '1' } } = needs.secret
  return { ...specOf(endpoint, needs), body: { visibility: 'selected', ...body, [field]: ids } }
}

/** Repositories that may use the secret: those of the need, or the public repository, whose events contain its id. */
async function idsOf(t: CheckContext, { owner, secret, repository }: Needs) {
  if (secret.repository_ids) return secret.repository_ids
  const feed = { endpoint: endpoints.repositoryEvents, as: owner }
  const [event] = repository ? itemsOf(await t.read({ ...feed, params: repository })) : []
  const id = atPointer(event?.value, '/repo/id')
  return typeof id === 'number' && Number.isInteger(id)
    ? [id]
    : t.untested('no repository id is known', 'organization-secret')
}
