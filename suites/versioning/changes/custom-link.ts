import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import { changeEndpoints } from '../../../src/spec/change-endpoints.ts'
import { partOf } from '../../../src/spec/changes.ts'
import { type ApiVersion, firstVersion, latestVersion } from '../../../src/spec/versions.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject } from '../../../src/suite/located.ts'
import { need, type Resolved, role } from '../../../src/suite/needs.ts'
import { expectOffered, isServed, readOffered, sendOffered } from '../common/offered.ts'
import { readUntil } from '../common/read-back.ts'

const { field: customLink } = partOf(10, 'request')
export const organizationNeeds = { owner: role('org-owner'), organization: need('organization') }
type Needs = Resolved<typeof organizationNeeds>

function getSpec({ owner, organization }: Needs): RequestSpec {
  return { endpoint: changeEndpoints.organization, params: organization, as: owner }
}

function patchSpec({ owner, organization }: Needs, body: object): RequestSpec {
  return { endpoint: changeEndpoints.updateOrganization, params: organization, body, as: owner }
}

export async function readOrganization(t: CheckContext, needs: Needs): Promise<Exchange> {
  const answer = await readOffered(t, getSpec(needs))
  return isObject(answer.json) ? answer : t.untested('the response is not an organisation')
}

/** Sets the organisation's description to what it is: a request that changes nothing. */
export async function updateDescription(t: CheckContext, needs: Needs): Promise<Exchange> {
  return sendOffered(t, patchSpec(needs, unchanged(await readOrganization(t, needs))))
}

/** The link's value is sent as it is, so that nothing changes. */
export async function linkAccepted(t: CheckContext, needs: Needs): Promise<void> {
  const shown = await readOrganization(t, needs)
  const control = await updateDescription(t, needs)
  const answer = await t.send(patchSpec(needs, { ...unchanged(shown), [customLink]: linkOf(shown) ?? false }))
  if (!isServed(answer)) {
    t.deviation({ expected: `${customLink} to be accepted`, actual: String(answer.status), exchanges: [control, answer] })
  }
  t.examined(1)
}

/** Under the older version the link can be set, which reading it back shows. */
export async function linkHonoured(t: CheckContext, needs: Needs): Promise<void> {
  const { answer, took, exchanges } = await flipped(t, needs, firstVersion)
  if (!isServed(answer)) t.untested(`the link was not accepted (${answer.status})`)
  if (!took) t.deviation({ expected: `${customLink} to be set`, actual: 'unchanged', pointer: `/${customLink}`, exchanges })
  t.examined(1)
}

/**
 * The newer version may refuse or ignore the link (readings V13); the older one tells whether it was set. That it can be set
 * at all is the control: where it cannot, nothing is without effect only now.
 */
export async function linkWithoutEffect(t: CheckContext, needs: Needs): Promise<void> {
  const control = await flipped(t, needs, firstVersion)
  if (!control.took) t.untested(`setting ${customLink} has no effect under ${firstVersion} either`)
  const { answer, took, exchanges } = await flipped(t, needs, latestVersion)
  if (answer.status >= 500) t.deviation({ expected: 'no server error', actual: String(answer.status), exchanges: [answer] })
  if (took) t.deviation({ expected: `${customLink} unchanged`, actual: 'changed', pointer: `/${customLink}`, exchanges })
  t.examined(1)
}

interface Flipped {
  readonly answer: Exchange
  /** The link is now what it was not. */
  readonly took: boolean
  readonly exchanges: readonly Exchange[]
}

/** Sets the link under a version to what it is not, and reads it under the older one; it is put back when the check ends. */
async function flipped(t: CheckContext, needs: Needs, version: ApiVersion): Promise<Flipped> {
  const read = { ...getSpec(needs), version: firstVersion }
  const before = expectOffered(t, read, await t.send(read))
  const link = linkOf(before) ?? t.untested('the organisation does not include the link under the older version')
  const answer = await t.send({ ...patchSpec(needs, { ...unchanged(before), [customLink]: !link }), version })
  if (isServed(answer)) restoreLater(t, needs, link)
  const isFlipped = (shown: Exchange) => linkOf(shown) === !link
  const patient = isServed(answer) && version === firstVersion
  const after = patient ? await readUntil(t, 'the link to be set', () => t.send(read), isFlipped) : await t.send(read)
  return { answer, took: isFlipped(after), exchanges: [before, answer, after] }
}

function restoreLater(t: CheckContext, needs: Needs, link: boolean): void {
  const restore = { ...patchSpec(needs, { [customLink]: link }), version: firstVersion }
  t.cleanUp(`${customLink} of ${needs.organization.org}`, async () => expectOffered(t, restore, await t.send(restore)))
}

function unchanged({ json }: Exchange): { description: string } {
  return { description: isObject(json) && typeof json.description === 'string' ? json.description : '' }
}

function linkOf({ json }: Exchange): boolean | undefined {
  const value = isObject(json) ? json[customLink] : undefined
  return typeof value === 'boolean' ? value : undefined
}
