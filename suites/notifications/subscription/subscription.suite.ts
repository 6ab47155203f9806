import type { Caller } from '../../../src/http/exchange/caller.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import { check, suite } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject, type JsonObject, type Located } from '../../../src/suite/located.ts'
import { need, role } from '../../../src/suite/needs.ts'
import { jsonMediaType } from '../../common/served.ts'
import { accessChecks } from '../common/access.ts'
import { keepsUnreadCheck } from '../common/keeps-unread.ts'
import { othersThreadChecks } from '../common/others-threads.ts'
import { leadsToThread, readSubscription, stateOf, subscribed } from '../common/subscription-state.ts'
import { aboutThread } from '../common/threads.ts'
import { subscribedThread } from '../common/touched.ts'

const id = 'notifications.subscription'
const endpoint = endpoints.getSubscription
const needs = { owner: role('owner'), thread: need('shared-thread') }
// What a thread without a subscription answers is not stated, so each check subscribes first (readings D18).
const afterSubscribing = { needs, schedule: 'alone', writes: true, touches: subscribedThread } as const

/** The subscription of one thread. */
export default suite({
  area: 'notifications',
  endpoint,
  checks: [
    check({
      ...afterSubscribing,
      id: `${id}.shape`,
      requirement: 'notifications.subscription.shape',
      level: 'must',
      title: 'returns 200 with the documented fields and types',
      run: async (t, { owner, thread }) => {
        await subscribed(t, owner, thread.thread_id)
        t.expect(await readSubscription(t, owner, thread.thread_id))
          .status(200)
          .matches('thread-subscription')
      },
    }),
    check({
      ...afterSubscribing,
      id: `${id}.media-type`,
      requirement: 'conventions.json',
      level: 'must',
      title: 'sends a JSON media type as Content-Type',
      run: async (t, { owner, thread }) => {
        t.expect((await served(t, owner, thread.thread_id)).exchange).header('content-type', jsonMediaType)
      },
    }),
    check({
      ...afterSubscribing,
      id: `${id}.no-redirect`,
      requirement: 'notifications.no-redirect',
      level: 'should',
      title: 'returns 200 at the documented path, without a redirect',
      run: async (t, { owner, thread }) => {
        await served(t, owner, thread.thread_id)
        t.expect(await t.send({ ...aboutThread(endpoint, thread.thread_id, owner), direct: true })).status(200)
      },
    }),
    check({
      ...afterSubscribing,
      id: `${id}.created-at`,
      requirement: 'notifications.subscription.created-at',
      level: 'should',
      title: 'returns a timestamp as created_at',
      run: async (t, { owner, thread }) => {
        const subscription = await served(t, owner, thread.thread_id)
        // Its absence is left to the check of the shape.
        const dated = [subscription].filter(({ value }) => Object.hasOwn(value, 'created_at'))
        t.expectAll(dated, 'created_at').satisfy('created_at as a timestamp', ({ created_at }) => created_at !== null)
      },
    }),
    check({
      ...afterSubscribing,
      id: `${id}.urls`,
      requirement: 'notifications.subscription.urls',
      level: 'must',
      title: 'returns the URLs of the subscription and its thread as url and thread_url',
      run: async (t, { owner, thread }) => {
        const subscription = await served(t, owner, thread.thread_id)
        t.expectAll([subscription], 'subscription').satisfy('addresses of this thread', leadsToThread(t, thread.thread_id))
      },
    }),
    ...othersThreadChecks({ id, endpoint, resource: 'thread-subscription' }),
    keepsUnreadCheck(id, 'keeps an unread thread unread when its subscription is read', {
      made: async (t, owner, thread_id) => subscribed(t, owner, thread_id, 'unread-thread'),
      read: readSubscription,
    }),
    ...accessChecks({
      id,
      endpoint,
      of: 'owner',
      resource: 'thread-subscription',
      needs: { thread: need('shared-thread') },
      prepares: true,
      address: async (t, { thread }, entitled) => {
        const params = { thread_id: thread.thread_id }
        const state = stateOf(await readSubscription(t, entitled, thread.thread_id))
        // Served already: whether that is a subscription of the thread's own is of no interest here.
        if (state.includes('"subscribed":true')) return { params, seen: { facts: [state], visible: true } }
        await subscribed(t, entitled, thread.thread_id)
        return { params }
      },
    }),
  ],
})

async function served(t: CheckContext, owner: Caller, thread_id: string): Promise<Located<JsonObject>> {
  await subscribed(t, owner, thread_id)
  const exchange = await readSubscription(t, owner, thread_id)
  if (exchange.status !== 200 || !isObject(exchange.json)) return t.untested(`no subscription was returned (${exchange.status})`)
  return { value: exchange.json, exchange, pointer: '' }
}
