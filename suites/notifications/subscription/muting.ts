import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import { type Check, check } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { need, role } from '../../../src/suite/needs.ts'
import { expectNoServerError } from '../../common/access.ts'
import { type Awaited, isUnread, notified, startRead } from '../common/arrivals.ts'
import { subscribe, subscribed } from '../common/subscription-state.ts'
import { aboutThread } from '../common/threads.ts'
import { ownThread } from '../common/touched.ts'

/** One of the two ways to mute a thread (document: Notification thread moves). */
export interface Muting {
  readonly id: string
  readonly requirement: string
  readonly mute: (t: CheckContext, owner: Caller, thread_id: string) => Promise<Exchange>
}

/** A thread to mute, and one beside it that shows that activity does notify (readings D23). */
const needs = { owner: role('owner'), muted: need('muting-thread'), control: need('muting-thread') }
const changes = {
  needs,
  asks: ['new-notification'],
  level: 'must',
  schedule: 'alone',
  writes: true,
  touches: ownThread,
  slow: true,
} as const

/** Muting silences a thread until the user comments or is mentioned. */
export function mutingChecks({ id, requirement, mute }: Muting): Check[] {
  return [
    check({
      ...changes,
      id: `${id}.mutes`,
      requirement,
      title: 'sends no notification of later activity by others on the thread',
      run: async (t, { owner, muted, control }) => {
        const answer = await muteRead(t, from(owner, muted), mute)
        await staysSilent(t, from(owner, muted), from(owner, control), answer)
      },
    }),
    check({
      ...changes,
      id: `${id}.unmuted-by-comment`,
      asks: ['new-notification', 'comment-on-thread'],
      requirement,
      title: 'sends notifications of later activity again once the user has commented',
      run: async (t, { owner, muted, control }) => {
        const answer = await muteRead(t, from(owner, muted), mute)
        await t.ask('comment-on-thread', { thread_id: muted.thread_id })
        await isHeard(t, from(owner, muted), from(owner, control), answer)
      },
    }),
    check({
      ...changes,
      id: `${id}.unmuted-by-mention`,
      asks: ['new-notification', 'mention-on-thread'],
      requirement,
      title: 'sends a notification when the user is mentioned, and of later activity',
      run: async (t, { owner, muted, control }) => {
        const answer = await muteRead(t, from(owner, muted), mute)
        await isHeard(t, from(owner, muted), from(owner, control), answer, 'mention-on-thread')
        await startRead(t, from(owner, muted))
        await t.wait(spacing, 'another second for updated_at')
        await isHeard(t, from(owner, muted), from(owner, control), answer)
      },
    }),
  ]
}

/** Deleting a subscription does not silence a repository that the user watches (readings D29). */
export function watchedCheck(id: string): Check {
  return check({
    ...changes,
    id: `${id}.watched`,
    requirement: 'notifications.muting.watched',
    title: 'sends notifications after the deletion of a subscription in a watched repository',
    needs: { owner: role('owner'), watched: need('watched-thread'), control: need('watched-thread') },
    run: async (t, { owner, watched, control }) => {
      const thread = { ...from(owner, watched), from: 'watched-thread' as const }
      const answer = await muteRead(t, thread, async (...of) => {
        await subscribed(...of, 'watched-thread')
        return t.send(aboutThread(endpoints.deleteSubscription, thread.thread_id, owner))
      })
      await isHeard(t, thread, { ...from(owner, control), from: 'watched-thread' }, answer)
    },
  })
}

/** `ignored: false` ends a muting (document: Notification thread moves). */
export function resumesCheck(id: string): Check {
  return check({
    ...changes,
    id: `${id}.resumes`,
    requirement: 'notifications.muting.resumed',
    title: 'sends notifications again once the thread is no longer ignored',
    run: async (t, { owner, muted, control }) => {
      await muteRead(t, from(owner, muted), (...of) => subscribe(...of, { ignored: true }))
      const answer = await subscribe(t, owner, muted.thread_id, { ignored: false })
      await isHeard(t, from(owner, muted), from(owner, control), answer)
    },
  })
}

function from(owner: Caller, { thread_id }: { thread_id: string }): Awaited {
  return { owner, thread_id, from: 'muting-thread' }
}

/** Marks a thread read, so that a notification shows, and mutes it. */
async function muteRead(t: CheckContext, thread: Awaited, mute: Muting['mute']): Promise<Exchange> {
  await startRead(t, thread)
  const answer = await mute(t, thread.owner, thread.thread_id)
  expectNoServerError(t, answer)
  if (answer.status >= 400) t.untested(`muting the thread was refused (${answer.status})`)
  return answer
}

/** Seconds between a marking and an activity, and between the control's notification and a last look (readings B9). */
const spacing = 2

/** What was caused on the muted thread has had its time once the same shows on the control. */
async function staysSilent(t: CheckContext, muted: Awaited, control: Awaited, muting: Exchange): Promise<void> {
  await startRead(t, control)
  // Marking a thread is neither a comment nor a mention, so it stays muted.
  await t.send(aboutThread(endpoints.markThreadRead, muted.thread_id, muted.owner))
  await t.wait(spacing, 'another second for updated_at')
  await activity(t, muted)
  await t.wait(spacing, 'another second for updated_at')
  await activity(t, muted)
  await controlIsNotified(t, control)
  await t.wait(spacing, 'a notification that must not come')
  if (await isUnread(t, muted)) {
    t.deviation({ expected: 'no notification on a muted thread', actual: 'the thread is unread again', exchanges: [muting] })
  }
  t.examined(1)
}

/** Somebody who marks everything read meanwhile marks the control as well, which is unread while the thread gets its last chance. */
async function isHeard(
  t: CheckContext,
  thread: Awaited,
  control: Awaited,
  muting: Exchange,
  cause: 'new-notification' | 'mention-on-thread' = 'new-notification',
): Promise<void> {
  const happens = () => t.ask(cause, { thread_id: thread.thread_id })
  if (await notified(t, thread, happens)) return t.examined(1)
  await startRead(t, control)
  await controlIsNotified(t, control)
  await happens()
  const unread = async () => ((await isUnread(t, thread)) ? true : undefined)
  if (await t.eventually('a notification on the thread', unread, 5)) return t.examined(1)
  if (!(await isUnread(t, control))) t.untested('an unread thread became read as well: somebody else marks threads')
  t.deviation({ expected: 'a notification on the thread', actual: 'it stays read', exchanges: [muting] })
}

async function controlIsNotified(t: CheckContext, control: Awaited): Promise<void> {
  if (!(await notified(t, control, () => activity(t, control)))) {
    t.untested('activity on an unmuted thread sent no notification', 'muting-thread')
  }
}

async function activity(t: CheckContext, { thread_id }: Awaited): Promise<void> {
  await t.ask('new-notification', { thread_id })
}
