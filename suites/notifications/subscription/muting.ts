import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import type { Operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { type NeedMap, need, role } from '../../../src/suite/needs.ts'
import { briefly, eventually, type Looking, moment } from '../../../src/suite/observe.ts'
import { expectNoServerError } from '../../common/access.ts'
import { unlessUntested } from '../../common/proof.ts'
import { type Awaited, notified, startRead, whileUnread } from '../common/arrivals.ts'
import { subscribed } from '../common/subscription-state.ts'
import { aboutThread } from '../common/threads.ts'
import { ownThread } from '../common/touches.ts'

type Mute = (t: CheckContext, owner: Caller, thread_id: string) => Promise<Exchange>

type ThreadNeed = 'muting-thread' | 'watched-thread'

/** The operation on a thread to mute, and on one beside it that proves that activity sends notifications (readings D23). */
function mutingOf(operation: Operation<NeedMap>, from: ThreadNeed = 'muting-thread') {
  return operation.with({
    needs: { owner: role('owner'), muted: need(from), control: need(from) },
    asks: ['new-notification'],
    touches: ownThread,
    slow: true,
  })
}

/** Muting silences a thread `from` a need until the user comments or is mentioned (document: Notification thread moves). */
export function mutingChecks(
  operation: Operation<NeedMap>,
  requirement: string,
  mute: Mute,
  from: ThreadNeed = 'muting-thread',
) {
  return [
    mutingOf(operation, from).check(
      'mutes',
      'sends no notification of later activity by others on the thread',
      requirement,
      async (t, { owner, muted, control }) => {
        const other = { owner, from, ...control }
        await startRead(t, other)
        await requireNotified(t, other)
        const thread = { owner, from, ...muted }
        const response = await muteRead(t, thread, mute)
        const isMuted = await isSilent(t, thread, other, () => sendHarmless(t, thread), response)
        t.expect(response).satisfy(
          'no notification on a muted thread',
          isMuted,
          'the thread is unread again',
        )
      },
    ),
    ...(['comment', 'mention'] as const).map((cause) =>
      mutingOf(operation).check(
        `unmuted-by-${cause}`,
        `sends notifications of all activity after a ${cause}: the muting has ended`,
        { requirement, asks: ['new-notification', `${cause}-on-thread`] },
        async (t, { owner, muted, control }) => {
          const base = { owner, from: 'muting-thread' } as const
          const thread = { ...base, ...muted }
          const other = { ...base, ...control }
          const response = await muteRead(t, thread, mute)
          await isSilent(t, thread, other)
          if (cause === 'mention')
            await expectNotification(t, thread, other, response, 'mention-on-thread')
          else await t.ask('comment-on-thread', { thread_id: muted.thread_id })
          await expectNotifications(t, thread, other, response)
        },
      ),
    ),
  ]
}

/** Deleting a subscription does not silence a repository that the user watches (readings D29). */
export function watchedCheck(operation: Operation<NeedMap>) {
  return mutingOf(operation, 'watched-thread').check(
    'watched',
    'sends notifications after the deletion of a subscription in a watched repository',
    'notifications.muting.watched',
    async (t, { owner, muted, control }) => {
      const base = { owner, from: 'watched-thread' } as const
      const thread = { ...base, ...muted }
      const response = await muteRead(t, thread, async (...of) => {
        await subscribed(...of, 'watched-thread')
        return t.send(aboutThread(endpoints.deleteSubscription, thread.thread_id, owner))
      })
      await expectNotifications(t, thread, { ...base, ...control }, response)
    },
  )
}

/** Marks a thread read, so that a notification is visible, and mutes it. */
async function muteRead(t: CheckContext, thread: Awaited, mute: Mute) {
  await startRead(t, thread)
  const response = await mute(t, thread.owner, thread.thread_id)
  expectNoServerError(t, response)
  if (response.status >= 400) t.untested(`muting the thread was refused (${response.status})`)
  return response
}

/** True once no activity on a muted thread notifies the user, while the same activity on another one does. Muting may begin late (readings G16). */
async function isSilent(
  t: CheckContext,
  muted: Awaited,
  control: Awaited,
  before = async () => {},
  muting?: Exchange,
) {
  const hearNothing = async () => {
    for (const thread of [muted, control]) await startRead(t, thread)
    await before()
    await t.ask('new-notification', { thread_id: muted.thread_id })
    const heard = await notified(t, control)
    if (muting)
      t.expect(muting).satisfy(
        'notifications on another thread as before',
        heard !== undefined,
        'none',
      )
    await moment(t, 'a notification that must not come')
    // A thread that is done need not be served any more (readings D12).
    return !(await unlessUntested(whileUnread(t, muted)))
  }
  return (await eventually(t, 'the muting', hearNothing, Boolean)).met
}

/** To mark or to read a thread or its subscription is neither a comment nor a mention, so it stays muted during another activity. */
async function sendHarmless(t: CheckContext, { owner, thread_id }: Awaited) {
  for (const endpoint of [
    endpoints.markThreadRead,
    endpoints.getThread,
    endpoints.getSubscription,
    endpoints.markThreadDone,
  ])
    await t.send(aboutThread(endpoint, thread_id, owner))
  await moment(t, 'another second for updated_at')
  await t.ask('new-notification', { thread_id })
  await moment(t, 'another second for updated_at')
}

/** Every activity notifies, not only the first one. */
const expectNotifications: typeof expectNotification = async (t, thread, ...of) => {
  for (let time = 0; time < 2; time += 1) {
    await startRead(t, thread)
    await moment(t, 'another second for updated_at')
    await expectNotification(t, thread, ...of)
  }
}

/** A program that marks all threads read meanwhile marks the control as well: it is unread while the thread gets its last chance. */
async function expectNotification(
  t: CheckContext,
  thread: Awaited,
  control: Awaited,
  muting: Exchange,
  cause: 'new-notification' | 'mention-on-thread' = 'new-notification',
) {
  const isHeard = async (look: Looking) => {
    await t.ask(cause, { thread_id: thread.thread_id })
    return (await look(t, 'a notification', () => whileUnread(t, thread))).met
  }
  if (await isHeard(briefly)) return t.examined(1)
  await startRead(t, control)
  await requireNotified(t, control)
  if (await isHeard(eventually)) return t.examined(1)
  if (!(await whileUnread(t, control)))
    t.untested('an unread thread became read as well: another program marks threads')
  t.expect(muting).satisfy('a notification on the thread', false, 'it stays read')
}

async function requireNotified(t: CheckContext, control: Awaited) {
  if (!(await notified(t, control)))
    t.untested('activity on an unmuted thread sent no notification', control.from)
}
