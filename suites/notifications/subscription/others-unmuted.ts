import type { Caller } from '../../../src/http/exchange/caller.ts'
import { type Check, check } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { need, role } from '../../../src/suite/needs.ts'
import { readSubscription, stateOf, subscribed } from '../common/subscription-state.ts'
import { sharedSubscription } from '../common/touched.ts'

/** Muting one thread leaves the subscription of another one, of the same repository, as it is. */
export function othersUnmutedCheck(
  id: string,
  mute: (t: CheckContext, owner: Caller, thread_id: string) => Promise<void>,
): Check {
  return check({
    id: `${id}.others-untouched`,
    requirement: 'notifications.set-subscription.others',
    level: 'must',
    title: 'keeps the subscriptions of other threads unchanged',
    needs: { owner: role('owner'), thread: need('shared-thread'), bystander: need('unread-thread') },
    schedule: 'alone',
    writes: true,
    touches: sharedSubscription,
    run: async (t, { owner, thread, bystander }) => {
      await subscribed(t, owner, bystander.thread_id, 'unread-thread')
      const before = stateOf(await readSubscription(t, owner, bystander.thread_id))
      if (!before.includes('"ignored":false')) t.untested(`the other thread has no subscription to keep (${before})`)
      await mute(t, owner, thread.thread_id)
      const read = await readSubscription(t, owner, bystander.thread_id)
      if (stateOf(read) !== before) t.deviation({ expected: before, actual: stateOf(read), exchanges: [read] })
      t.examined(1)
    },
  })
}
