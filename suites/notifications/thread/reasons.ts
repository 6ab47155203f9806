import type { Caller } from '../../../src/http/exchange/caller.ts'
import { type Check, check } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import type { JsonObject, Located } from '../../../src/suite/located.ts'
import { role } from '../../../src/suite/needs.ts'
import { unlessUntested } from '../../common/proof.ts'
import { type Awaited, arrival, notified, startRead } from '../common/arrivals.ts'
import { knownReasons } from '../common/thread-shape.ts'
import { currentThread, instantOf } from '../common/threads.ts'
import { ownThread } from '../common/touched.ts'

const needs = { owner: role('owner') }

/** Dates have a resolution of one second. Seconds. */
const spacing = 2

/** Why a thread is in the inbox (document: Resources and their fields, Reason values; readings D20 to D22). */
export function reasonChecks(id: string): Check[] {
  return [
    ...knownReasons.map((reason) =>
      check({
        id: `${id}.reason-${reason.replaceAll('_', '-')}`,
        requirement: 'notifications.reasons.meaning',
        level: 'must',
        title: `returns the reason ${reason} for a thread with that single cause`,
        needs,
        asks: ['new-notification'],
        schedule: 'alone',
        writes: true,
        touches: ownThread,
        run: async (t, { owner }) => {
          const { thread_id } = await t.ask('new-notification', { reason })
          expectReason(t, await arrival(t, owner, thread_id), reason)
        },
      }),
    ),
    check({
      id: `${id}.reason-replaced`,
      requirement: 'notifications.reasons.replaced',
      level: 'must',
      title: 'returns the new reason after a later notification with a different one',
      needs,
      asks: ['new-notification'],
      schedule: 'alone',
      writes: true,
      touches: ownThread,
      run: async (t, { owner }) => {
        const { thread_id } = await t.ask('new-notification', { reason: 'subscribed' })
        await told(t, owner, thread_id, {})
        for (const reason of ['assign', 'mention']) {
          // Not every provider can assign the user to a thread that is there.
          const heard = await unlessUntested(told(t, owner, thread_id, { reason }))
          if (heard) expectReason(t, await settled(t, { owner, thread_id, heard }, reason), reason)
        }
      },
    }),
    check({
      id: `${id}.moves-updated-at`,
      requirement: 'notifications.thread.updated-at',
      level: 'should',
      title: 'returns a later updated_at after another notification',
      needs,
      asks: ['new-notification'],
      schedule: 'alone',
      writes: true,
      touches: ownThread,
      slow: true,
      run: async (t, { owner }) => movesForward(t, owner),
    }),
    check({
      id: `${id}.reason-mention-stays`,
      requirement: 'notifications.reasons.mention-stays',
      level: 'must',
      title: 'keeps the reason mention after a later comment without a mention',
      needs,
      asks: ['new-notification'],
      schedule: 'alone',
      writes: true,
      touches: ownThread,
      run: async (t, { owner }) => {
        const { thread_id } = await t.ask('new-notification', { reason: 'author' })
        const mentioned = await told(t, owner, thread_id, { reason: 'mention' })
        if (mentioned.value.reason !== 'mention') t.untested('the reason of the thread did not become mention')
        expectReason(t, await told(t, owner, thread_id, {}), 'mention')
      },
    }),
  ]
}

/** Marks a thread read, causes a notification on it and returns the thread once that has arrived. */
async function told(t: CheckContext, owner: Caller, thread_id: string, cause: { reason?: string }) {
  const thread: Awaited = { owner, thread_id, from: 'new-notification' }
  await startRead(t, thread)
  const heard = await notified(t, thread, () => t.ask('new-notification', { thread_id, ...cause }))
  return heard ?? t.untested(`no notification arrived on thread ${thread_id} within ${t.maxWaitSeconds} s`, 'new-notification')
}

/** The first notification is two seconds old when the second one is caused (readings B9). */
async function movesForward(t: CheckContext, owner: Caller): Promise<void> {
  const { thread_id } = await t.ask('new-notification', {})
  const before = await arrival(t, owner, thread_id)
  await t.wait(spacing, 'another second for updated_at')
  const after = await told(t, owner, thread_id, {})
  t.expectAll([after], 'thread').satisfy(
    `updated_at later than ${String(before.value.updated_at)}`,
    ({ updated_at }) => !(instantOf(updated_at) <= instantOf(before.value.updated_at)),
    ({ updated_at }) => String(updated_at),
  )
}

/** A thread as a notification on it was first seen. */
interface Heard {
  readonly owner: Caller
  readonly thread_id: string
  readonly heard: Located<JsonObject>
}

/** The thread once it has the reason; an earlier notification may be on its way for some time and arrive in between. */
async function settled(t: CheckContext, { owner, thread_id, heard }: Heard, reason: string) {
  let last = heard
  const again = async () => {
    if (last.value.reason === reason) return last
    last = await currentThread(t, owner, thread_id)
    return undefined
  }
  return (await t.eventually(`the reason ${reason}`, again, 5)) ?? last
}

function expectReason(t: CheckContext, thread: Located<JsonObject>, reason: string): void {
  t.expectAll([thread], 'thread').satisfy(
    `reason ${reason}`,
    (value) => value.reason === reason,
    (value) => `reason ${String(value.reason)}`,
  )
}
