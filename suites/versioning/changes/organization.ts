import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { changeEndpoints, partOf, removedFields } from '../../../src/spec/changes/changes.ts'
import { type ApiVersion, firstVersion } from '../../../src/spec/versions.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject } from '../../../src/suite/located.ts'
import { need, type Resolved, role } from '../../../src/suite/needs.ts'
import { eventually, unchanged } from '../../../src/suite/observe.ts'
import { changeRow, readByOwner, shownRequest, specOf } from '../common/change-row.ts'
import {
  expectAccepted,
  expectEffect,
  expectNoEffect,
  expectOffered,
  sendOffered,
  undoLater,
} from '../common/requests.ts'

const { field: customLink, early } = partOf(10, 'request')
const needs = { owner: role('org-owner'), organization: need('organization') }
type Needs = Resolved<typeof needs>
const { organization: endpoint, updateOrganization } = changeEndpoints
const reading = { change: 10, needs, omits: removedFields(10), keeps: removedFields(10) }
const updating = {
  change: 10,
  name: 'update-organization',
  endpoint: updateOrganization,
  needs,
}

/** Change 10: the push-protection link leaves the organization, in requests and responses. */
export const organization = [
  ...changeRow({ ...reading, name: 'organization', endpoint, request: readOrganization }),
  ...changeRow({ ...reading, ...updating, request: updateDescription }),
  ...changeRow({
    ...updating,
    schedule: 'alone',
    shows: shownRequest(10),
    early,
    older: {
      'link-honoured': {
        title: 'applies the push-protection link in the request body',
        level: 'should',
        judge: (t, _, needs) => expectEffect(t, customLink, (version) => flip(t, needs, version)),
      },
      // The link is sent with its present value: a request without an effect.
      'link-accepted': {
        title: 'accepts the push-protection link',
        judge: async (t, _, needs) => {
          const organization = await readOrganization(t, needs)
          const control = await updateDescription(t, needs)
          const present = { ...kept(organization), [customLink]: linkOf(organization) ?? false }
          const response = await t.send(patchSpec(needs, present))
          expectAccepted(t, customLink, response, control)
        },
      },
    },
    both: {
      'link-not-honoured': {
        title: 'ignores or rejects the push-protection link under the newer version',
        schedule: 'across',
        judge: async (t, _, needs) => {
          const attempt = (version: ApiVersion) => flip(t, needs, version)
          await expectNoEffect(t, customLink, attempt)
          // Now the link has its other value.
          await expectNoEffect(t, customLink, attempt)
        },
      },
    },
  }),
]

function patchSpec(needs: Needs, body: object) {
  return { ...specOf(updateOrganization, needs), body }
}

async function readOrganization(t: CheckContext, needs: Needs) {
  const [response] = await readByOwner(t, needs, endpoint)
  return isObject(response.json) ? response : t.untested('the response is not an organization')
}

/** Sets the organization's description to its present value: a request without an effect. */
async function updateDescription(t: CheckContext, needs: Needs) {
  return sendOffered(t, patchSpec(needs, kept(await readOrganization(t, needs))))
}

/** Sets the link to its other value until the check ends, and reads it under the older version, which returns it (readings G16). */
async function flip(t: CheckContext, needs: Needs, version: ApiVersion) {
  const spec = { ...specOf(endpoint, needs), version: firstVersion }
  const read = () => t.send(spec)
  const same = (a: Exchange, b: Exchange) => linkOf(a) === linkOf(b)
  const first =
    version === firstVersion
      ? await read()
      : await unchanged(t, 'the link to be at rest', read, same)
  const before = expectOffered(t, spec, first ?? t.untested('the link does not come to rest'))
  const link =
    linkOf(before) ??
    t.untested('the organization does not include the link under the older version')
  const response = await t.send({
    ...patchSpec(needs, { ...kept(before), [customLink]: !link }),
    version,
  })
  const restoration = { ...patchSpec(needs, { [customLink]: link }), version: firstVersion }
  if (response.ok) undoLater(t, `${customLink} of ${needs.organization.org}`, restoration)
  const isFlipped = (organization: Exchange) => linkOf(organization) === !link
  const patient = response.ok && version === firstVersion
  const after = patient
    ? (await eventually(t, 'the link to be set', read, isFlipped)).last
    : await read()
  const hasEffect = isFlipped(after)
  // Each repetition sends the same value.
  if (hasEffect && version !== firstVersion) await t.send(restoration)
  return { response, hasEffect, exchanges: [before, response, after] }
}

function kept({ json }: Exchange) {
  return {
    description: isObject(json) && typeof json.description === 'string' ? json.description : '',
  }
}

function linkOf({ json }: Exchange) {
  const value = isObject(json) ? json[customLink] : undefined
  return typeof value === 'boolean' ? value : undefined
}
