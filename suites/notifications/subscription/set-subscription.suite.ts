import { endpoints } from '../../../src/spec/endpoints.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { need, type Resolved, role } from '../../../src/suite/needs.ts'
import { type Looking, still } from '../../../src/suite/observe.ts'
import { mediaTypeCheck, recordedObjects } from '../../common/served.ts'
import { accessChecks } from '../common/access.ts'
import { keepsUnreadCheck } from '../common/keeps-unread.ts'
import { othersThreadChecks } from '../common/others-threads.ts'
import {
  expectSubscription,
  ofSubscription,
  prepared,
  stateOf,
  subscribe,
  subscriptionShown,
  type Wanted,
} from '../common/subscription-state.ts'
import { aboutThread, currentThread } from '../common/threads.ts'
import { sharedSubscription } from '../common/touches.ts'
import { mutingChecks } from './muting.ts'

const endpoint = endpoints.setSubscription
const { about, operated } = ofSubscription('set-subscription', endpoint)
const changing = operated.with({ schedule: 'alone', writes: true })
const onShared = changing.with({ touches: sharedSubscription })
// A late copy of another check's subscription would look like the effect of this one's request (readings G16).
const set = onShared.with({ needs: { owner: role('owner'), thread: need('unread-thread') } })

/** Subscribes to a thread or ignores it. */
export default set.suite([
  onShared
    .with({ schedule: 'afterwards', conclusive: true })
    .check(
      'shape',
      'returns 200 with the subscription',
      'notifications.set-subscription.status',
      async (t, resolved) => {
        const read = recordedObjects(t, endpoint)
        if (read.length > 0)
          return void t.expectAll(read, 'subscription').match('thread-subscription')
        const response = await resubscribe(t, resolved)
        t.expect(response).status(200).matches('thread-subscription')
      },
    ),
  mediaTypeCheck(onShared, async (t, resolved) => {
    const response = await resubscribe(t, resolved)
    if (response.status !== 200) t.untested(`the subscription was not set (${response.status})`)
    return [response]
  }),
  set.check(
    'ignored',
    'marks the thread as ignored with ignored: true',
    changesBy({ ignored: true }, still, { ignored: true }),
  ),
  set.check(
    'subscribed',
    'marks an ignored thread as subscribed with ignored: false',
    changesBy({ ignored: false }, still),
  ),
  set.check(
    'ignored-default',
    'applies false as the default of ignored',
    'notifications.set-subscription.default',
    changesBy({}),
  ),
  set.check(
    'without-body',
    'marks an ignored thread as subscribed for a request without a body',
    { level: 'should' },
    changesBy(null),
  ),
  set.check(
    'first',
    'returns 200 for the first subscription of a thread, and no error when sent again',
    'notifications.set-subscription.status',
    async (t, { owner, thread: { thread_id } }) => {
      await currentThread(t, owner, thread_id, 'unread-thread')
      const send = () => subscribe(t, owner, thread_id, { ignored: true }, 'unread-thread')
      const response = await send()
      t.expect(response).status(200)
      const state = stateOf(response)
      if (!state.includes('"ignored":true'))
        t.untested(`the response is not the subscription that was set (${state})`)
      t.expect(await send()).status(200, 304)
    },
  ),
  // To ignore a thread silences it in a watched repository as well (readings D23).
  ...mutingChecks(
    changing,
    'notifications.muting.ignored',
    (t, owner, thread_id) => subscribe(t, owner, thread_id, { ignored: true }),
    'watched-thread',
  ),
  keepsUnreadCheck(
    changing.with({ level: 'should' }),
    'keeps an unread thread unread when the user subscribes to it',
    {
      read: (t, owner, thread_id) =>
        subscribe(t, owner, thread_id, { ignored: false }, 'unread-thread'),
    },
  ),
  ...othersThreadChecks({ ...about, body: { ignored: false }, changing: { ignored: true } }),
  ...accessChecks({
    ...about,
    address: async (t, { thread }, entitled) => {
      await prepared(t, entitled, thread.thread_id, false)
      return { params: { thread_id: thread.thread_id }, body: { ignored: true } }
    },
    effect: (t, { thread }, entitled) =>
      subscriptionShown(t, entitled, thread.thread_id, '"ignored":false'),
  }),
])

/** The response to a request for an ignored thread, or for a new one; `null` sends no body. */
async function resubscribe(
  t: CheckContext,
  { owner, thread: { thread_id } }: Resolved<typeof operated.needs>,
  body: object | null = { ignored: false },
  isIgnored = true,
) {
  // The change of an ignored thread is visible, and 304 is no permitted response to it (readings B12).
  if (isIgnored) await prepared(t, owner, thread_id, true)
  return body
    ? subscribe(t, owner, thread_id, body)
    : t.send(aboutThread(endpoint, thread_id, owner))
}

/** A request with this body ends the ignoring of a thread, unless another state is `wanted`. */
function changesBy(
  body: object | null,
  look?: Looking,
  wanted: Wanted = { ignored: false, subscribed: true },
) {
  return async (t: CheckContext, resolved: Resolved<typeof operated.needs>) => {
    const response = await resubscribe(t, resolved, body, !wanted.ignored)
    const { owner, thread } = resolved
    await expectSubscription(t, owner, thread.thread_id, response, wanted, look)
  }
}
