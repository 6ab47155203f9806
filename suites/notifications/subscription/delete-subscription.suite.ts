import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import { isLatest } from '../../../src/spec/versions.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject } from '../../../src/suite/located.ts'
import { need, role } from '../../../src/suite/needs.ts'
import { sendUntil } from '../../../src/suite/observe.ts'
import { unlessUntested } from '../../common/proof.ts'
import { accessChecks } from '../common/access.ts'
import { othersThreadChecks } from '../common/others-threads.ts'
import {
  ofSubscription,
  stateOf,
  subscribed,
  subscriptionShown,
} from '../common/subscription-state.ts'
import { aboutThread } from '../common/threads.ts'
import { ownThread, sharedSubscription } from '../common/touches.ts'
import { mutingChecks, watchedCheck } from './muting.ts'

const endpoint = endpoints.deleteSubscription
const { about, operated } = ofSubscription('delete-subscription', endpoint)
const deletion = operated.with({ schedule: 'alone', writes: true })

/** Ends the subscription of a thread. */
export default deletion.suite([
  deletion.check(
    'no-content',
    'returns 204 without a body, for an ignored thread, too',
    { requirement: 'notifications.delete-subscription.status', touches: sharedSubscription },
    async (t, { owner, thread }) => {
      for (const isIgnored of [false, true]) {
        await subscribed(t, owner, thread.thread_id, undefined, isIgnored)
        const response = await t.send(aboutThread(endpoint, thread.thread_id, owner), {
          tapped: true,
        })
        t.expect(response).status(204).noBody()
      }
    },
  ),
  deletion
    .with({
      needs: { owner: role('owner'), thread: need('muting-thread') },
      touches: ownThread,
      level: 'should',
    })
    .check(
      'ends',
      'removes the subscription or marks it as not subscribed',
      (t, { owner, thread }) => expectEnd(t, owner, thread.thread_id),
    ),
  ...mutingChecks(deletion, 'notifications.muting.deleted', async (t, owner, thread_id) => {
    await subscribed(t, owner, thread_id, 'muting-thread')
    return t.send(aboutThread(endpoint, thread_id, owner))
  }),
  watchedCheck(deletion),
  ...othersThreadChecks(about),
  ...accessChecks({
    ...about,
    address: async (t, { thread }, entitled) => {
      await subscribed(t, entitled, thread.thread_id)
      return { params: { thread_id: thread.thread_id } }
    },
    effect: (t, { thread }, entitled) =>
      subscriptionShown(t, entitled, thread.thread_id, '"subscribed":true'),
  }),
])

/** Each version has a token with another scope. A warning only: the document does not state whether the user may stay subscribed for another reason (readings D17). */
async function expectEnd(t: CheckContext, owner: Caller, thread_id: string) {
  const isEnded = ({ ok, broken, json }: Exchange) =>
    ok ? isObject(json) && json.subscribed === false : !broken
  const scopes = [isLatest(t) ? 'repo' : 'notifications']
  const scoped = await unlessUntested(t.tokenFor({ kind: 'classic', of: 'owner', scopes }))
  for (const set of ['"subscribed":true', '"ignored":true']) {
    await subscribed(t, owner, thread_id, 'muting-thread', set.includes('ignored'))
    const reading = aboutThread(endpoints.getSubscription, thread_id, owner)
    const before = stateOf(await sendUntil(t, reading, (state) => stateOf(state).includes(set)))
    if (!before.includes(set)) t.untested(`the thread has no subscription to end (${before})`)
    const response = await t.send(aboutThread(endpoint, thread_id, scoped ?? owner))
    if (response.refused) t.untested(`the deletion was refused (${response.status})`)
    const last = await sendUntil(t, reading, isEnded)
    t.expect(last, response).satisfy(
      `a rejection or subscribed: false after ${set}`,
      isEnded(last),
      stateOf(last),
    )
  }
}
