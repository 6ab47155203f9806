import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import { changeEndpoints, partOf, removedFields } from '../../../src/spec/changes/changes.ts'
import { type ApiVersion, firstVersion, latestVersion } from '../../../src/spec/versions.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject } from '../../../src/suite/located.ts'
import { need, type Resolved, role } from '../../../src/suite/needs.ts'
import { eventually, unchanged } from '../../../src/suite/observe.ts'
import { expectNoServerError } from '../../common/access.ts'
import { expectOffered, ofChange, readOffered, sendOffered, shownRequest } from '../common/change.ts'
import { changeRow } from '../common/change-row.ts'

const { field: customLink, early } = partOf(10, 'request')
const needs = { owner: role('org-owner'), organization: need('organization') }
type Needs = Resolved<typeof needs>
const { organization, updateOrganization } = changeEndpoints
const row = { change: 10, needs, omits: removedFields(10), keeps: removedFields(10) } as const
const reading = ofChange(10, { id: 'versioning.organization', endpoint: organization, needs }).both
const update = { id: 'versioning.update-organization', endpoint: updateOrganization, needs, writes: true } as const
const { both, underFirst } = ofChange(10, { ...update, schedule: 'alone', shows: shownRequest(10) })
const honoured = underFirst.with({ level: 'should' })
const across = both.with({ schedule: 'across' })

/** Change 10: the push-protection link leaves the organization, in requests and responses. */
export default reading.suite([
  ...changeRow({ ...row, name: 'organization', endpoint: organization, request: readOrganization }),
  ...changeRow({ ...row, name: 'update-organization', endpoint: updateOrganization, writes: true, request: updateDescription }),
  honoured.check('link-honoured', 'applies the push-protection link in the request body', expectLinkHonoured),
  underFirst.check('link-accepted', 'accepts the push-protection link', { level: early }, expectLinkAccepted),
  across.check(
    'link-not-honoured',
    'ignores or rejects the push-protection link under the newer version',
    expectLinkWithoutEffect,
  ),
])

function getSpec({ owner, organization }: Needs): RequestSpec {
  return { endpoint: changeEndpoints.organization, params: organization, as: owner }
}

function patchSpec({ owner, organization }: Needs, body: object): RequestSpec {
  return { endpoint: changeEndpoints.updateOrganization, params: organization, body, as: owner }
}

async function readOrganization(t: CheckContext, needs: Needs): Promise<Exchange> {
  const response = await readOffered(t, getSpec(needs))
  return isObject(response.json) ? response : t.untested('the response is not an organization')
}

/** Sets the organization's description to its present value: a request without an effect. */
async function updateDescription(t: CheckContext, needs: Needs): Promise<Exchange> {
  return sendOffered(t, patchSpec(needs, kept(await readOrganization(t, needs))))
}

/** The link is sent with its present value: a request without an effect. */
async function expectLinkAccepted(t: CheckContext, needs: Needs): Promise<void> {
  const organization = await readOrganization(t, needs)
  const control = await updateDescription(t, needs)
  const body = { ...kept(organization), [customLink]: linkOf(organization) ?? false }
  const response = await t.send(patchSpec(needs, body))
  t.expect(response, control).satisfy(`${customLink} to be accepted`, response.ok, String(response.status))
}

/** Under the older version the link can be set and read back. */
async function expectLinkHonoured(t: CheckContext, needs: Needs): Promise<void> {
  const { response, hasEffect, exchanges } = await flip(t, needs, firstVersion)
  if (!response.ok) t.untested(`the link was not accepted (${response.status})`)
  if (!hasEffect) t.deviation({ expected: `${customLink} to be set`, actual: 'unchanged', pointer: `/${customLink}`, exchanges })
  t.examined(1)
}

/** The newer version may refuse or ignore the link (readings V13); the older one returns it. The control: the older version sets it. */
async function expectLinkWithoutEffect(t: CheckContext, needs: Needs): Promise<void> {
  const control = await flip(t, needs, firstVersion)
  if (!control.hasEffect) t.untested(`setting ${customLink} has no effect under ${firstVersion} either`)
  const { response, hasEffect, exchanges } = await flip(t, needs, latestVersion)
  expectNoServerError(t, response)
  if (hasEffect) t.deviation({ expected: `${customLink} unchanged`, actual: 'changed', pointer: `/${customLink}`, exchanges })
  t.examined(1)
}

/** Sets the link to its other value until the check ends, and reads it. `hasEffect`: the link changed (readings G16). */
async function flip(t: CheckContext, needs: Needs, version: ApiVersion) {
  const spec = { ...getSpec(needs), version: firstVersion }
  const read = () => t.send(spec)
  const same = (a: Exchange, b: Exchange) => linkOf(a) === linkOf(b)
  const first = version === firstVersion ? await read() : await unchanged(t, 'the link to be at rest', read, same)
  const before = expectOffered(t, spec, first ?? t.untested('the link does not come to rest'))
  const link = linkOf(before) ?? t.untested('the organization does not include the link under the older version')
  const response = await t.send({ ...patchSpec(needs, { ...kept(before), [customLink]: !link }), version })
  if (response.ok) restoreLater(t, needs, link)
  const isFlipped = (organization: Exchange) => linkOf(organization) === !link
  const patient = response.ok && version === firstVersion
  const after = patient ? (await eventually(t, 'the link to be set', read, isFlipped)).last : await read()
  return { response, hasEffect: isFlipped(after), exchanges: [before, response, after] }
}

function restoreLater(t: CheckContext, needs: Needs, link: boolean): void {
  const restore = { ...patchSpec(needs, { [customLink]: link }), version: firstVersion }
  t.cleanUp(`${customLink} of ${needs.organization.org}`, async () => expectOffered(t, restore, await t.send(restore)))
}

function kept({ json }: Exchange): { description: string } {
  return { description: isObject(json) && typeof json.description === 'string' ? json.description : '' }
}

function linkOf({ json }: Exchange): boolean | undefined {
  const value = isObject(json) ? json[customLink] : undefined
  return typeof value === 'boolean' ? value : undefined
}
