import type { RequestSpec } from '../../src/http/client.ts'
import type { Exchange } from '../../src/http/exchange.ts'
import { changeEndpoints } from '../../src/spec/change-endpoints.ts'
import { firstVersion, latestVersion } from '../../src/spec/versions.ts'
import { check, suite } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { isObject } from '../../src/suite/located.ts'
import { need, type Resolved, role } from '../../src/suite/needs.ts'
import { sendOffered } from './offered.ts'

const endpoint = changeEndpoints.dispatchWorkflow
const needs = { owner: role('owner'), workflow: need('workflow') }
type Needs = Resolved<typeof needs>
const shared = { requirement: 'versioning.change-18', level: 'must', needs, writes: true } as const

/** Change 18: a dispatch tells which run it started, and no longer has to be asked for that (readings V11). */
export default suite({
  area: 'versioning',
  endpoint,
  checks: [
    check({
      id: 'versioning.dispatch-workflow.run-details',
      ...shared,
      title: 'answers 200 with details of the run',
      versions: [latestVersion],
      run: async (t, resolved) => detailed(t, await plainDispatch(t, resolved)),
    }),
    check({
      id: 'versioning.dispatch-workflow.no-content',
      ...shared,
      title: 'still answers 204 when it is not asked for details',
      versions: [firstVersion],
      run: async (t, resolved) => {
        t.expect(await plainDispatch(t, resolved)).status(204)
      },
    }),
    check({
      id: 'versioning.dispatch-workflow.parameter-not-honoured',
      ...shared,
      title: 'is not kept from giving details by return_run_details',
      versions: [latestVersion],
      run: async (t, resolved) => {
        await plainDispatch(t, resolved)
        const answer = await t.send(dispatch(resolved, { return_run_details: false }))
        if (answer.status >= 400 && answer.status < 500) t.examined(1)
        else detailed(t, answer)
      },
    }),
    check({
      id: 'versioning.dispatch-workflow.parameter-accepted',
      ...shared,
      title: 'still accepts return_run_details',
      versions: [firstVersion],
      run: async (t, resolved) => {
        const plain = await plainDispatch(t, resolved)
        if (plain.status !== 204) t.untested(`a dispatch without it is answered ${plain.status}`)
        t.expect(await t.send(dispatch(resolved, { return_run_details: false }))).status(200, 204)
      },
    }),
  ],
})

function dispatch({ owner, workflow }: Needs, more: object = {}): RequestSpec {
  const { ref = 'main', ...params } = workflow
  return { endpoint, params, body: { ref, ...more }, as: owner }
}

/** A dispatch without the parameter, sent once for all checks. */
function plainDispatch(t: CheckContext, needs: Needs): Promise<Exchange> {
  return t.shared('a dispatched workflow', (once) => sendOffered(once, dispatch(needs)))
}

function detailed(t: CheckContext, answer: Exchange): void {
  t.expect(answer).status(200)
  const holds = isObject(answer.json) && Object.keys(answer.json).length > 0
  if (!holds) t.deviation({ expected: 'an object with details of the run', actual: 'none', exchanges: [answer] })
}
