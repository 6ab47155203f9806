import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import { check, suite } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject } from '../../../src/suite/located.ts'
import { need, role } from '../../../src/suite/needs.ts'
import { accessChecks } from '../common/access.ts'
import { othersThreadChecks } from '../common/others-threads.ts'
import { readSubscription, stateOf, subscribed } from '../common/subscription-state.ts'
import { aboutThread, soon } from '../common/threads.ts'
import { ownThread, sharedSubscription } from '../common/touched.ts'
import { mutingChecks, watchedCheck } from './muting.ts'
import { othersUnmutedCheck } from './others-unmuted.ts'

const id = 'notifications.delete-subscription'
const endpoint = endpoints.deleteSubscription
const needs = { owner: role('owner'), thread: need('shared-thread') }

/** Ends the subscription of a thread. */
export default suite({
  area: 'notifications',
  endpoint,
  checks: [
    check({
      id: `${id}.no-content`,
      requirement: 'notifications.delete-subscription.status',
      level: 'must',
      title: 'returns 204 without a body',
      needs,
      schedule: 'alone',
      writes: true,
      touches: sharedSubscription,
      run: async (t, { owner, thread }) => {
        await subscribed(t, owner, thread.thread_id)
        const answer = await t.send(aboutThread(endpoint, thread.thread_id, owner), { tapped: true })
        t.expect(answer).status(204).noBody()
      },
    }),
    check({
      id: `${id}.ends`,
      requirement: 'notifications.delete-subscription.ends',
      level: 'should',
      title: 'removes the subscription or marks it as not subscribed',
      needs: { owner: role('owner'), thread: need('muting-thread') },
      schedule: 'alone',
      writes: true,
      touches: ownThread,
      run: async (t, { owner, thread }) => ends(t, owner, thread.thread_id),
    }),
    ...mutingChecks({
      id,
      requirement: 'notifications.muting.deleted',
      mute: async (t, owner, thread_id) => {
        await subscribed(t, owner, thread_id, 'muting-thread')
        return t.send(aboutThread(endpoint, thread_id, owner))
      },
    }),
    watchedCheck(id),
    othersUnmutedCheck(id, async (t, owner, thread_id) => {
      await subscribed(t, owner, thread_id)
      const { status, ok } = await t.send(aboutThread(endpoint, thread_id, owner))
      if (!ok) t.untested(`the subscription was not deleted (${status})`)
    }),
    // An absent subscription may be deleted again without complaint, so an unknown thread only should be refused.
    ...othersThreadChecks({ id, endpoint, resource: 'thread-subscription', unknown: 'should' }),
    ...accessChecks({
      id,
      endpoint,
      of: 'owner',
      resource: 'thread-subscription',
      needs: { thread: need('shared-thread') },
      address: async (t, { thread }, entitled) => {
        await subscribed(t, entitled, thread.thread_id)
        return { params: { thread_id: thread.thread_id } }
      },
      effect: async (t, { thread }, entitled) => {
        const state = stateOf(await readSubscription(t, entitled, thread.thread_id))
        return { facts: [state], visible: state.includes('"subscribed":true') }
      },
    }),
  ],
})

/** Whether anything may keep the user subscribed is not stated (readings D17), which is why this is a warning. */
async function ends(t: CheckContext, owner: Caller, thread_id: string): Promise<void> {
  await subscribed(t, owner, thread_id, 'muting-thread')
  const before = stateOf(await readSubscription(t, owner, thread_id))
  if (!before.includes('"subscribed":true')) t.untested(`the thread has no subscription to end (${before})`)
  const answer = await t.send(aboutThread(endpoint, thread_id, owner))
  let last: Exchange = answer
  const ended = await soon(t, 'the subscription to end', async () => {
    last = await readSubscription(t, owner, thread_id)
    const none = last.status === 404 || (isObject(last.json) && last.json.subscribed === false)
    return none ? true : undefined
  })
  if (!ended) t.deviation({ expected: '404 or subscribed: false', actual: stateOf(last), exchanges: [answer, last] })
  t.examined(1)
}
