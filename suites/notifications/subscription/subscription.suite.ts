import type { Caller } from '../../../src/http/exchange/caller.ts'
import { type Endpoint, endpoints } from '../../../src/spec/endpoints.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import type { Located } from '../../../src/suite/located.ts'
import { eventually, moment, sendUntil } from '../../../src/suite/observe.ts'
import { endsWith } from '../../common/names.ts'
import { mediaTypeCheck, recordedObjects } from '../../common/served.ts'
import { accessChecks } from '../common/access.ts'
import { keepsUnreadCheck } from '../common/keeps-unread.ts'
import { othersThreadChecks } from '../common/others-threads.ts'
import {
  leadsToThread,
  ofSubscription,
  readSubscription,
  stateOf,
  subscribed,
} from '../common/subscription-state.ts'
import { threadPaths } from '../common/thread-shape.ts'
import { aboutThread, objectIn } from '../common/threads.ts'
import { subscribedThread } from '../common/touches.ts'

const endpoint = endpoints.getSubscription
const { about, operated: reading } = ofSubscription('subscription', endpoint)
// The response for a thread without a subscription is open, so each check subscribes first (readings D18).
const subscription = reading.with({ schedule: 'alone', writes: true, touches: subscribedThread })

/** Judges the subscriptions that the run has read. Only without any, it writes: these checks run beside each other. */
const afterwards = subscription.with({ schedule: 'afterwards' })

/** The subscription of one thread. */
export default subscription.suite([
  afterwards.check(
    'shape',
    'returns 200 with the documented fields and types',
    async (t, { owner, thread }) => {
      const read = statesIn(t, endpoint)
      if (read.length > 0)
        return void t.expectAll(read, 'subscription').match('thread-subscription')
      await subscribed(t, owner, thread.thread_id)
      const response = await readServed(t, owner, thread.thread_id)
      t.expect(response).status(200).matches('thread-subscription')
    },
  ),
  mediaTypeCheck(subscription, async (t, { owner, thread }) => [
    (await served(t, owner, thread.thread_id)).exchange,
  ]),
  subscription.check(
    'created-at',
    'returns a timestamp as created_at that no reading changes',
    { level: 'should' },
    async (t, { owner, thread }) => {
      let state = await served(t, owner, thread.thread_id)
      // The check of the shape judges its absence.
      const dated = [state].filter(({ value }) => Object.hasOwn(value, 'created_at'))
      t.expectAll(dated, 'created_at').satisfy(
        'created_at as a timestamp',
        ({ created_at }) => created_at !== null,
      )
      const isKept = async () => {
        const { value } = state
        await moment(t, 'another second for created_at')
        state = await returned(t, owner, thread.thread_id)
        return state.value.created_at === value.created_at
      }
      const { met } = await eventually(t, 'created_at to be at rest', isKept, Boolean)
      t.expect(state.exchange).satisfy(
        'the same created_at in two readings',
        met,
        'another one in each reading',
      )
    },
  ),
  afterwards
    .with({ conclusive: true })
    .check(
      'urls',
      'returns the URLs of the subscription and its thread as url and thread_url',
      async (t, { owner, thread }) => {
        const { subscription: path } = threadPaths(t, thread.thread_id)
        const isOfThread = ({ exchange: { request } }: Located) => endsWith(request.url, path)
        const read = [endpoint, endpoints.setSubscription]
          .flatMap((each) => statesIn(t, each))
          .filter(isOfThread)
        const states = read.length > 0 ? read : [await served(t, owner, thread.thread_id)]
        t.expectAll(states, 'subscription').satisfy(
          'addresses of this thread',
          leadsToThread(t, thread.thread_id),
        )
      },
    ),
  ...othersThreadChecks(about),
  keepsUnreadCheck(reading, 'keeps an unread thread unread when its subscription is read', {
    prepare: async (t, owner, thread_id) => subscribed(t, owner, thread_id, 'unread-thread'),
    read: readSubscription,
  }),
  ...accessChecks({
    ...about,
    prepares: true,
    address: async (t, { thread }, entitled) => {
      const state = stateOf(await readSubscription(t, entitled, thread.thread_id))
      // It may be served already, by a subscription of the thread's own or by another one.
      if (!state.includes('"subscribed":true')) await served(t, entitled, thread.thread_id)
      return { params: { thread_id: thread.thread_id } }
    },
  }),
])

/** The recorded subscriptions of an endpoint. The response for a thread without a subscription is open (readings D18). */
function statesIn(t: CheckContext, of: Endpoint) {
  return recordedObjects(t, of).filter(
    ({ value }) => value.subscribed === true || value.ignored === true,
  )
}

async function served(t: CheckContext, owner: Caller, thread_id: string) {
  await subscribed(t, owner, thread_id)
  return returned(t, owner, thread_id)
}

async function returned(t: CheckContext, owner: Caller, thread_id: string) {
  const exchange = await readServed(t, owner, thread_id)
  return objectIn(exchange) ?? t.untested(`no subscription was returned (${exchange.status})`)
}

/** A subscription that was set may be returned a little later (readings G16). */
async function readServed(t: CheckContext, owner: Caller, thread_id: string) {
  return sendUntil(t, aboutThread(endpoint, thread_id, owner))
}
