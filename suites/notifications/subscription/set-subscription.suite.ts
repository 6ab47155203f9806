import type { Caller } from '../../../src/http/exchange/caller.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import { check, suite } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { need, role } from '../../../src/suite/needs.ts'
import type { Effect } from '../../common/access.ts'
import { jsonMediaType } from '../../common/served.ts'
import { accessChecks } from '../common/access.ts'
import { othersThreadChecks } from '../common/others-threads.ts'
import {
  holdsFor,
  ignored,
  readSubscription,
  stateOf,
  subscribe,
  subscribed,
  subscriptionLasts,
} from '../common/subscription-state.ts'
import { aboutThread } from '../common/threads.ts'
import { ownThread, sharedSubscription } from '../common/touched.ts'
import { mutingChecks, resumesCheck } from './muting.ts'
import { othersUnmutedCheck } from './others-unmuted.ts'

const id = 'notifications.set-subscription'
const endpoint = endpoints.setSubscription
const needs = { owner: role('owner'), thread: need('shared-thread') }
const changes = { needs, level: 'must', schedule: 'alone', writes: true, touches: sharedSubscription } as const

/** Subscribes to a thread or ignores it. */
export default suite({
  area: 'notifications',
  endpoint,
  checks: [
    check({
      ...changes,
      id: `${id}.shape`,
      requirement: 'notifications.set-subscription.status',
      title: 'returns 200 with the subscription',
      run: async (t, { owner, thread }) => {
        await ignored(t, owner, thread.thread_id)
        t.expect(await subscribe(t, owner, thread.thread_id, { ignored: false }))
          .status(200)
          .matches('thread-subscription')
      },
    }),
    check({
      ...changes,
      id: `${id}.media-type`,
      requirement: 'conventions.json',
      title: 'sends a JSON media type as Content-Type',
      run: async (t, { owner, thread }) => {
        await ignored(t, owner, thread.thread_id)
        const answer = await subscribe(t, owner, thread.thread_id, { ignored: false })
        if (answer.status !== 200) t.untested(`the subscription was not set (${answer.status})`)
        t.expect(answer).header('content-type', jsonMediaType)
      },
    }),
    check({
      ...changes,
      id: `${id}.ignored`,
      requirement: 'notifications.set-subscription.ignored',
      title: 'marks the thread as ignored with ignored: true',
      run: async (t, { owner, thread }) => {
        await subscribed(t, owner, thread.thread_id)
        const answer = await subscribe(t, owner, thread.thread_id, { ignored: true })
        await holdsFor(t, owner, thread.thread_id, answer, { ignored: true })
      },
    }),
    check({
      ...changes,
      id: `${id}.subscribed`,
      requirement: 'notifications.set-subscription.subscribed',
      title: 'marks an ignored thread as subscribed with ignored: false',
      run: async (t, { owner, thread }) => {
        await ignored(t, owner, thread.thread_id)
        const answer = await subscribe(t, owner, thread.thread_id, { ignored: false })
        await holdsFor(t, owner, thread.thread_id, answer, { ignored: false, subscribed: true })
      },
    }),
    check({
      ...changes,
      id: `${id}.ignored-default`,
      requirement: 'notifications.set-subscription.default',
      title: 'applies false as the default of ignored',
      run: async (t, { owner, thread }) => {
        await ignored(t, owner, thread.thread_id)
        const answer = await subscribe(t, owner, thread.thread_id, {})
        await holdsFor(t, owner, thread.thread_id, answer, { ignored: false, subscribed: true })
      },
    }),
    check({
      ...changes,
      id: `${id}.without-body`,
      requirement: 'notifications.set-subscription.without-body',
      level: 'should',
      title: 'marks an ignored thread as subscribed for a request without a body',
      run: async (t, { owner, thread }) => {
        await ignored(t, owner, thread.thread_id)
        const answer = await t.send(aboutThread(endpoint, thread.thread_id, owner))
        await holdsFor(t, owner, thread.thread_id, answer, { ignored: false, subscribed: true })
      },
    }),
    check({
      ...changes,
      id: `${id}.first`,
      requirement: 'notifications.set-subscription.status',
      title: 'returns 200 for the first subscription of a thread as well',
      needs: { owner: role('owner'), thread: need('unread-thread') },
      touches: ownThread,
      run: async (t, { owner, thread }) => {
        const answer = await subscribe(t, owner, thread.thread_id, { ignored: true }, 'unread-thread')
        t.expect(answer).status(200)
        const state = stateOf(answer)
        if (!state.includes('"ignored":true')) t.untested(`the response is not the subscription that was set (${state})`)
      },
    }),
    check({
      ...changes,
      id: `${id}.lasts`,
      requirement: 'notifications.set-subscription.subscribed',
      title: 'returns the subscription that was set two seconds later, too',
      needs: { owner: role('owner'), thread: need('muting-thread') },
      touches: ownThread,
      slow: true,
      run: async (t, { owner, thread }) => subscriptionLasts(t, owner, thread.thread_id),
    }),
    ...mutingChecks({
      id,
      requirement: 'notifications.muting.ignored',
      mute: async (t, owner, thread_id) => subscribe(t, owner, thread_id, { ignored: true }),
    }),
    resumesCheck(id),
    othersUnmutedCheck(id, async (t, owner, thread_id) => {
      await ignored(t, owner, thread_id)
    }),
    ...othersThreadChecks({
      id,
      endpoint,
      resource: 'thread-subscription',
      body: { ignored: false },
      changing: { ignored: true },
    }),
    ...accessChecks({
      id,
      endpoint,
      of: 'owner',
      resource: 'thread-subscription',
      needs: { thread: need('shared-thread') },
      address: async (t, { thread }, entitled) => {
        const seen = await notIgnored(t, entitled, thread.thread_id)
        if (!seen.visible) await subscribed(t, entitled, thread.thread_id)
        return { params: { thread_id: thread.thread_id }, body: { ignored: true }, ...(seen.visible ? { seen } : {}) }
      },
      effect: async (t, { thread }, entitled) => notIgnored(t, entitled, thread.thread_id),
      granted: {
        needs: { thread: need('shared-thread') },
        address: async (_, { thread }) => ({ params: { thread_id: thread.thread_id }, body: { ignored: false } }),
      },
    }),
  ],
})

/** The subscription that a wrongly accepted request would change. */
async function notIgnored(t: CheckContext, entitled: Caller, thread_id: string): Promise<Effect> {
  const state = stateOf(await readSubscription(t, entitled, thread_id))
  return { facts: [state], visible: state.includes('"ignored":false') }
}
