import type { Caller } from '../../../src/http/exchange/caller.ts'
import { knownReasons } from '../../../src/spec/words/words.ts'
import type { Operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { Listing } from '../../../src/suite/listing.ts'
import { isObject, itemsOf, type JsonObject, type Located } from '../../../src/suite/located.ts'
import { type Needing, need, optional } from '../../../src/suite/needs.ts'
import { eventually, moment } from '../../../src/suite/observe.ts'
import {
  type Awaited,
  type Listed,
  notified,
  startRead,
  threadsByCause,
} from '../common/arrivals.ts'
import { findListed, firstShared } from '../common/listed-threads.ts'
import {
  currentThread,
  everything,
  inboxOf,
  instantOf,
  repositoryInboxAround,
  type Thread,
} from '../common/threads.ts'
import { ownThread } from '../common/touches.ts'
import { expectUnreadListed } from '../lists/participating.ts'
import { expectReplaced } from './replaced.ts'

/** The reason why a thread is in the inbox (document: Resources and their fields, Reason values; readings D20 to D22). */
export function reasonChecks(thread: Operation<{ owner: Needing<Caller> }>) {
  const notifying = thread.with({
    asks: ['new-notification'],
    schedule: 'alone',
    writes: true,
    touches: ownThread,
  })
  const meaning = notifying.with({ requirement: 'notifications.reasons.meaning' })
  return [
    ...knownReasons.map((reason) =>
      meaning.check(
        `reason-${reason.replaceAll('_', '-')}`,
        `returns the reason ${reason} for a thread with that single cause`,
        async (t, { owner }) => {
          const { byCause, listed } = await threadsByCause(t, owner)
          const thread =
            (await byCause.get(reason)) ??
            t.untested(`no thread has the reason ${reason}`, 'new-notification')
          expectReason(t, thread, reason)
          await expectListedReason(t, owner, thread, reason, listed)
        },
      ),
    ),
    notifying.check(
      'reason-replaced',
      'returns the new reason after a later notification with a different one',
      {
        requirement: 'notifications.reasons.replaced',
        also: { secret: optional(need('private-repository')) },
      },
      (t, { owner }, { secret }) => expectReplaced(t, owner, secret),
    ),
    notifying.check(
      'moves-updated-at',
      'returns a later updated_at after another notification',
      { requirement: 'notifications.thread.updated-at', level: 'should', slow: true },
      (t, { owner }) => expectLaterUpdate(t, owner),
    ),
  ]
}

/** The second notification is caused two seconds after the first one (readings B9). */
async function expectLaterUpdate(t: CheckContext, owner: Caller) {
  const { thread_id } = await t.ask('new-notification', {})
  const before = await currentThread(t, owner, thread_id, 'new-notification')
  await moment(t, 'another second for updated_at')
  const isLater = ({ updated_at }: JsonObject) =>
    !(instantOf(updated_at) <= instantOf(before.value.updated_at))
  const thread: Awaited = { owner, thread_id, from: 'new-notification' }
  await startRead(t, thread)
  const updated = await notified(t, thread)
  if (!updated)
    t.untested(`no notification arrived on thread ${thread_id} in time`, 'new-notification')
  // A replica may return the thread as it was before (readings G16).
  const read = () => currentThread(t, owner, thread_id)
  const { last: after, met } = await eventually(t, 'a later updated_at', read, ({ value }) =>
    isLater(value),
  )
  const isCoarse = ({ value }: Located) =>
    isObject(value) && instantOf(value.updated_at) % 60_000 === 0
  if (!met && itemsOf(await new Listing(t, inboxOf(owner)).page()).every(isCoarse))
    t.untested('all dates are whole minutes')
  t.expectAll([after], 'thread').satisfy(
    `updated_at later than ${before.value.updated_at}`,
    isLater,
    ({ updated_at }) => String(updated_at),
  )
}

/** Both lists contain the thread with that reason; they may be `known`, as all checks share them. */
async function expectListedReason(
  t: CheckContext,
  owner: Caller,
  thread: Thread,
  reason: string,
  known?: Listed,
) {
  for (const address of [inboxOf(owner), repositoryInboxAround(thread.value, owner)]) {
    const list = new Listing(t, address)
    const early = known?.get(list.path)?.find(({ value }) => value.id === thread.value.id)
    const find = () =>
      findListed(t, list, thread.value, thread.value.unread === true ? {} : everything)
    const look = firstShared(async (fresh) => (fresh ? find() : (early ?? find())))
    const { last = early } = await eventually(
      t,
      'the thread to be listed',
      look,
      (item) => item?.value.reason === reason,
    )
    if (last) expectReason(t, last, reason)
    else if (thread.value.unread === true) await expectUnreadListed(t, owner, list, thread)
  }
}

function expectReason(t: CheckContext, thread: Thread, reason: string) {
  t.expectAll([thread], 'thread').satisfy(
    `reason ${reason}`,
    (value) => value.reason === reason,
    (value) => `reason ${value.reason}`,
  )
}
