import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import { changeEndpoints } from '../../../src/spec/change-endpoints.ts'
import { partOf } from '../../../src/spec/changes.ts'
import { firstVersion, latestVersion } from '../../../src/spec/versions.ts'
import { check, suite } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject } from '../../../src/suite/located.ts'
import { need, type Resolved, role } from '../../../src/suite/needs.ts'
import { sendOffered } from '../common/offered.ts'
import { shownRequest, shownStatus } from '../common/shown-change.ts'

const endpoint = changeEndpoints.dispatchWorkflow
const needs = { owner: role('owner'), workflow: need('workflow') }
type Needs = Resolved<typeof needs>
const change = { requirement: 'versioning.change-18', needs, writes: true } as const
const status = { ...change, shows: shownStatus(18, endpoint) }
const parameter = { ...change, shows: shownRequest(18) }
const { older, newer, early } = partOf(18, 'status')
const { field, early: earlyRefusal } = partOf(18, 'request')

/** Change 18: a dispatch tells which run it started, and no longer has to be asked for that (readings V11). */
export default suite({
  area: 'versioning',
  endpoint,
  checks: [
    check({
      id: 'versioning.dispatch-workflow.run-details',
      ...status,
      level: 'must',
      title: `returns ${newer} with details of the run`,
      versions: [latestVersion],
      run: async (t, resolved) => detailed(t, await plainDispatch(t, resolved)),
    }),
    check({
      id: 'versioning.dispatch-workflow.no-content',
      ...status,
      level: early,
      title: `returns ${older} when no run details are requested`,
      versions: [firstVersion],
      run: async (t, resolved) => {
        t.expect(await plainDispatch(t, resolved)).status(older)
      },
    }),
    check({
      id: 'versioning.dispatch-workflow.parameter-not-honoured',
      ...parameter,
      level: 'must',
      title: `ignores or rejects ${field}`,
      versions: [latestVersion],
      run: async (t, resolved) => {
        const plain = await plainDispatch(t, resolved)
        const answer = await t.send(dispatch(resolved, { [field]: false }))
        // A run that is shown without the parameter, and not with it, tells by itself that it is honoured.
        if (answer.status >= 500 || (answer.ok && holdsDetails(plain))) detailed(t, answer)
        await requireHonoured(t, resolved)
        if (answer.ok) detailed(t, answer)
        t.examined(1)
      },
    }),
    check({
      id: 'versioning.dispatch-workflow.parameter-accepted',
      ...parameter,
      level: earlyRefusal,
      title: `accepts ${field} in the request body`,
      versions: [firstVersion],
      run: async (t, resolved) => {
        const plain = await plainDispatch(t, resolved)
        if (plain.status !== older) t.untested(`a dispatch without return_run_details returned ${plain.status}`)
        t.expect(await t.send(dispatch(resolved, { [field]: false }))).status(newer, older)
      },
    }),
  ],
})

function dispatch({ owner, workflow }: Needs, more: object = {}): RequestSpec {
  const { ref = 'main', ...params } = workflow
  return { endpoint, params, body: { ref, ...more }, as: owner }
}

/** The control: under the older version the parameter decides whether the run is shown; where it does not, it is not without effect only now. */
async function requireHonoured(t: CheckContext, needs: Needs): Promise<void> {
  await plainDispatch(t, needs)
  const former = (more: object) => t.send({ ...dispatch(needs, more), version: firstVersion })
  const [without, asked] = [await former({}), await former({ [field]: true })]
  if (without.status !== older || asked.status !== newer) t.untested(`${field} has no effect under ${firstVersion} either`)
}

/** A dispatch without the parameter, sent once for all checks. */
function plainDispatch(t: CheckContext, needs: Needs): Promise<Exchange> {
  return t.shared('a dispatched workflow', (once) => sendOffered(once, dispatch(needs)))
}

function holdsDetails({ status, json }: Exchange): boolean {
  return status === newer && isObject(json) && Object.keys(json).length > 0
}

function detailed(t: CheckContext, answer: Exchange): void {
  t.expect(answer).status(newer)
  if (!holdsDetails(answer)) t.deviation({ expected: 'an object with details of the run', actual: 'none', exchanges: [answer] })
}
