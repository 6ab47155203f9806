import { bearer } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import { changeEndpoints, partOf } from '../../../src/spec/changes/changes.ts'
import { firstVersion } from '../../../src/spec/versions.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject } from '../../../src/suite/located.ts'
import { need, type Resolved, role } from '../../../src/suite/needs.ts'
import { ofChange, sendOffered, shownRequest, shownStatus } from '../common/change.ts'

const endpoint = changeEndpoints.dispatchWorkflow
const needs = { owner: role('owner'), workflow: need('workflow') }
type Needs = Resolved<typeof needs>
const { both, underLatest, underFirst } = ofChange(18, { id: 'versioning.dispatch-workflow', endpoint, needs, writes: true })
const status = { shows: shownStatus(18, endpoint) }
const parameter = { shows: shownRequest(18) }
const { older, newer, early } = partOf(18, 'status')
const { field, early: earlyRefusal } = partOf(18, 'request')
const earlyStatus = { ...status, level: early }
const earlyParameter = { ...parameter, level: earlyRefusal }

/** Change 18: a dispatch returns the run that it started, without a parameter for that (readings V11). */
export default both.suite([
  underLatest.check('run-details', `returns ${newer} with details of the run`, status, async (t, resolved) =>
    expectDetails(t, await plainDispatch(t, resolved)),
  ),
  underFirst.check('no-content', `returns ${older} when no run details are requested`, earlyStatus, async (t, resolved) => {
    t.expect(await plainDispatch(t, resolved)).status(older)
  }),
  underLatest.check('parameter-not-honoured', `ignores or rejects ${field}`, parameter, async (t, resolved) => {
    const plain = await plainDispatch(t, resolved)
    const response = await t.send(dispatch(resolved, { [field]: false }))
    // A run in the response without the parameter only proves that the parameter is honoured.
    if (response.status >= 500 || (response.ok && hasDetails(plain))) expectDetails(t, response)
    await requireHonoured(t, resolved)
    if (response.ok) expectDetails(t, response)
    t.examined(1)
  }),
  underFirst.check('parameter-accepted', `accepts ${field} in the request body`, earlyParameter, async (t, resolved) => {
    const plain = await plainDispatch(t, resolved)
    if (plain.status !== older) t.untested(`a dispatch without return_run_details returned ${plain.status}`)
    t.expect(await t.send(dispatch(resolved, { [field]: false }))).status(newer, older)
  }),
])

function dispatch({ owner, workflow }: Needs, more: object = {}): RequestSpec {
  const { ref = 'main', ...params } = workflow
  return { endpoint, params, body: { ref, ...more }, as: owner }
}

/** The control: under the older version, the parameter decides whether the response contains the run. */
async function requireHonoured(t: CheckContext, needs: Needs): Promise<void> {
  await plainDispatch(t, needs)
  const former = (more: object) => t.send({ ...dispatch(needs, more), version: firstVersion })
  const [without, set] = [await former({}), await former({ [field]: true })]
  if (without.status !== older || set.status !== newer) t.untested(`${field} has no effect under ${firstVersion} either`)
}

/** A dispatch without the parameter, sent once for all checks. */
function plainDispatch(t: CheckContext, needs: Needs): Promise<Exchange> {
  return t.shared('a dispatched workflow', (once) => sendOffered(once, dispatch(needs)))
}

function hasDetails({ status, json }: Exchange): boolean {
  return status === newer && isObject(json) && Object.values(json).some((value) => value !== null)
}

function expectDetails(t: CheckContext, response: Exchange): void {
  t.expect(response).status(newer)
  t.expect(response).satisfy('an object with details of the run', hasDetails(response), 'none')
}

const { deleteInstallation } = changeEndpoints
const doomed = { installation: need('disposable-installation') }
const deletion = ofChange(9, {
  id: 'versioning.delete-installation',
  endpoint: deleteInstallation,
  needs: doomed,
  writes: true,
  shows: shownStatus(9, deleteInstallation),
})
const deleted = partOf(9, 'status')
const formerDeletion = deletion.underFirst.with({ level: deleted.early })

/** Change 9: the deletion of an installation moves to the background. */
export const installation = deletion.both.suite([
  deletion.underLatest.check('accepted', `returns ${deleted.newer} for the deletion of an installation`, async (t, resolved) => {
    t.expect(await remove(t, resolved)).status(deleted.newer)
  }),
  formerDeletion.check('no-content', `returns ${deleted.older} for the deletion of an installation`, async (t, resolved) => {
    t.expect(await remove(t, resolved)).status(deleted.older)
  }),
])

function remove(t: CheckContext, { installation }: Resolved<typeof doomed>) {
  const { installation_id, token } = installation
  const as = bearer(token, 'disposable-installation')
  return sendOffered(t, { endpoint: deleteInstallation, params: { installation_id }, as })
}
