import { endpoints } from '../../../src/spec/endpoints.ts'
import { check, suite } from '../../../src/suite/check.ts'
import { aboutThread, currentThread, unreadThread } from '../common/threads.ts'
import { ownThread } from '../common/touched.ts'
import { type MarkingThread, marking, markingThreadAccess, markingThreadChecks } from './mark-thread.checks.ts'
import { keepsReason, readsLater, showsAsRead, staysRead } from './thread-fixture.ts'

const id = 'notifications.mark-thread'
const endpoint = endpoints.markThreadRead
const thisMarking: MarkingThread = {
  id,
  endpoint,
  success: { status: 205, aspect: 'reset-content' },
  inbox: { title: 'removes the thread from the default list and keeps it with all=true', kept: true },
  effect: async (t, entitled, thread_id) => {
    const { value } = await currentThread(t, entitled, thread_id, 'shared-thread')
    return { facts: [`unread: ${value.unread}`], visible: value.unread === true }
  },
}

/** Marks one thread read. */
export default suite({
  area: 'notifications',
  endpoint,
  checks: [
    ...markingThreadChecks(thisMarking),
    check({
      ...marking,
      id: `${id}.marks-read`,
      requirement: 'notifications.mark-thread.effect',
      title: 'returns the single thread with unread: false afterwards',
      run: async (t, { owner, thread }) => {
        await unreadThread(t, owner, thread.thread_id)
        await showsAsRead(t, owner, await t.send(aboutThread(endpoint, thread.thread_id, owner)), thread.thread_id)
      },
    }),
    check({
      ...marking,
      touches: ownThread,
      id: `${id}.repeated`,
      requirement: 'notifications.mark-thread.effect',
      title: 'keeps a thread read when it is marked as read again',
      run: async (t, { owner, thread }) => staysRead(t, owner, thread.thread_id),
    }),
    check({
      ...marking,
      id: `${id}.last-read-at`,
      requirement: 'notifications.mark-thread.last-read-at',
      level: 'should',
      title: 'keeps last_read_at or moves it forward',
      run: async (t, { owner, thread }) => readsLater(t, owner, thread.thread_id),
    }),
    check({
      ...marking,
      id: `${id}.keeps-reason`,
      requirement: 'notifications.reasons.kept',
      title: 'keeps the reason of the thread',
      run: async (t, { owner, thread }) => keepsReason(t, owner, thread.thread_id),
    }),
    ...markingThreadAccess(thisMarking),
  ],
})
