import { isDeepStrictEqual } from 'node:util'
import { bearer, type Caller } from '../../../src/http/exchange/caller.ts'
import { type Endpoint, endpoints } from '../../../src/spec/endpoints.ts'
import { type Operation, operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { Listing } from '../../../src/suite/listing.ts'
import { isObject } from '../../../src/suite/located.ts'
import { type NeedMap, need, optional, role } from '../../../src/suite/needs.ts'
import { unlessUntested } from '../../common/proof.ts'
import { notified } from './arrivals.ts'
import { onOtherData } from './other-data.ts'
import {
  readSubscription,
  restingSubscription,
  stateOf,
  subscribed,
  subscribedState,
} from './subscription-state.ts'
import * as known from './threads.ts'
import { foreignThread, wholeInbox } from './touches.ts'

/** One of the endpoints with a thread in their path. */
export interface ThreadOperation {
  readonly id: `notifications.${string}`
  readonly endpoint: Endpoint
  /** The resource that a refusal must not contain. */
  readonly resource: 'thread' | 'thread-subscription'
  readonly body?: unknown
  /** A body that would change the thread visibly, if `body` may not. */
  readonly changing?: unknown
}

/** 2^31 − 3: a valid 32-bit id that is unlikely to exist. */
const unknownId = '2147483645'

/** Threads of other users are refused (readings D13). */
export function othersThreadChecks(thread: ThreadOperation) {
  const { id, endpoint } = thread
  const reading = operation({
    id,
    endpoint,
    needs: { owner: role('owner'), own: need('shared-thread') },
    level: 'must',
  })
  const writes = endpoint.method !== 'GET'
  const sending = writes
    ? reading.with({ schedule: 'alone', writes, touches: foreignThread })
    : reading
  return [
    // It runs first: once the request has had its effect, a second one changes nothing.
    ...(writes ? [unchangedCheck(sending, thread)] : []),
    sending.check(
      'foreign',
      'rejects a request for a thread of another user',
      {
        requirement: 'notifications.thread.foreign',
        also: { foreign: need('foreign-thread'), outsider: optional(role('outsider')) },
        conclusive: true,
      },
      async (t, { owner, own }, { foreign, outsider }) => {
        // Without logins, the two roles may be one user.
        if (outsider && !writes && outsider.login !== owner.login)
          await expectNoCopy(t, thread, own.thread_id, owner, outsider)
        const list = new Listing(t, known.inboxOf(owner))
        const { items } = await list.walk({ query: known.everything })
        if (items.some(({ value }) => isObject(value) && value.id === foreign.thread_id))
          t.untested(
            `the thread ${foreign.thread_id} is in the caller's own inbox`,
            'foreign-thread',
          )
        await expectThreadRefused(t, thread, owner, own.thread_id, foreign.thread_id)
      },
    ),
    // The rows of deletions list no refusal, so an unknown thread may be deleted (readings D13).
    ...(endpoint.method === 'DELETE'
      ? []
      : [
          sending.check(
            'unknown',
            'rejects an unknown thread id',
            'notifications.thread.unknown',
            (t, { owner, own }) => expectThreadRefused(t, thread, owner, own.thread_id, unknownId),
          ),
        ]),
  ]
}

/** An outsider who reads a thread after its owner receives no copy of it. Ids may be unique for each user only. */
async function expectNoCopy(
  t: CheckContext,
  { endpoint }: ThreadOperation,
  thread_id: string,
  owner: Caller,
  outsider: Caller,
) {
  const read = (as: Caller) => t.send(known.aboutThread(endpoint, thread_id, as))
  const own = await read(owner)
  const other = await read(outsider)
  t.expect(other, own).satisfy(
    'no thread of the owner',
    !other.ok || !isDeepStrictEqual(other.json, own.json),
    'what the owner receives',
  )
}

/** The control: a thread of the caller's own is served, so the token is not refused. */
async function expectThreadRefused(
  t: CheckContext,
  { endpoint, body, resource }: ThreadOperation,
  owner: Caller,
  own: string,
  thread_id: string,
) {
  const control = await t.read(known.aboutThread(endpoints.getThread, own, owner))
  if (control.status !== 200) await known.currentThread(t, owner, own, 'shared-thread')
  t.expect(await t.send(known.aboutThread(endpoint, thread_id, owner, body))).refused(resource)
}

/** A refused request has no effect, which only the thread's owner can see. */
function unchangedCheck(sending: Operation<NeedMap>, operation: ThreadOperation) {
  return sending
    .with({ needs: { owner: role('owner'), foreign: need('foreign-thread') } })
    .check(
      'foreign-unchanged',
      'keeps the threads of other users unchanged',
      { requirement: 'notifications.thread.foreign', touches: wholeInbox, conclusive: true },
      async (t, { owner, foreign }) => {
        const thread = { ...foreign, user: ownerOf(t, foreign) }
        await onOtherData(
          t,
          thread,
          () => unreadAgain(t, thread),
          async (data) => {
            const unchanged = expectUnchanged(t, operation, owner, data)
            return () => unchanged
          },
        )
      },
    )
}

/** Another user's thread, seen by that user. */
type Foreign = { readonly thread_id: string; readonly user: Caller }

async function expectUnchanged(
  t: CheckContext,
  operation: ThreadOperation,
  owner: Caller,
  foreign: Foreign,
) {
  const { thread_id, user } = foreign
  const { endpoint, changing, body } = operation
  const send = async (id: string) =>
    t.send(known.aboutThread(endpoint, id, owner, changing ?? body))
  const before = await changeable(t, operation, foreign)
  const response = await send(thread_id)
  const after = await seenBy(t, operation, foreign, before)
  if (response.ok) t.untested(`the request was accepted (${response.status})`)
  t.expect(response).satisfy(before, before === after, `${response.status}, and then ${after}`)
  // The other user is subscribed, so there is a subscription to reveal.
  if (operation.resource === 'thread-subscription')
    t.expect(await readSubscription(t, owner, thread_id)).refused(operation.resource)
  // A request for the caller's own thread, if possible of the same repository, has no effect on the other user's either.
  const { value } = await known.currentThread(t, user, thread_id, 'foreign-thread')
  const own = await unlessUntested(known.unreadBeside(t, owner, known.repositoryName(value) ?? ''))
  if (!own) return
  const ownResponse = await send(own.thread_id)
  const now = await seenBy(t, operation, foreign, before)
  t.expect(ownResponse).satisfy(
    `${before} for another user's thread`,
    before === now,
    `${ownResponse.status} for thread ${own.thread_id}, and then ${now}`,
  )
}

/** The thread once its user was notified again, since that user may have read it meanwhile. */
async function unreadAgain(t: CheckContext, thread: Foreign) {
  const { user: owner, thread_id } = thread
  return (await notified(t, { owner, thread_id, from: 'foreign-thread' }))
    ? thread
    : t.untested('no notification arrived on the thread of another user', 'new-notification')
}

/** Another user as a caller. Ends the check as untested if the need has no token of that user. */
export function ownerOf(t: CheckContext, { token }: { readonly token?: string }): Caller {
  return token === undefined
    ? t.untested(
        'the need foreign-thread has no token of the other user, who alone can see a change',
        [
          {
            need: 'foreign-thread',
            how: 'add `token`, a classic token of that user, to the need foreign-thread',
          },
        ],
      )
    : bearer(token, 'foreign-thread')
}

/** The state of a thread, as its user sees it, that the request would change. */
async function changeable(t: CheckContext, operation: ThreadOperation, foreign: Foreign) {
  const subscription = operation.resource === 'thread-subscription'
  if (subscription) await subscribed(t, foreign.user, foreign.thread_id, 'foreign-thread')
  const first = await seenBy(t, operation, foreign, subscribedState)
  const read = first === 'unread: false' && (await unlessUntested(unreadAgain(t, foreign)))
  const before = read ? await seenBy(t, operation, foreign, first) : first
  return subscription || before === 'unread: true'
    ? before
    : t.untested(
        `the thread ${foreign.thread_id} of another user is not unread, so a change is invisible`,
        'foreign-thread',
      )
}

/** The state of a thread, as its user sees it. A subscription in another state than `expected` is read until it rests. */
async function seenBy(
  t: CheckContext,
  { resource }: ThreadOperation,
  { user, thread_id }: Foreign,
  expected: string,
) {
  if (resource === 'thread-subscription')
    return stateOf(await restingSubscription(t, user, thread_id, expected))
  return `unread: ${(await known.currentThread(t, user, thread_id, 'foreign-thread')).value.unread}`
}
