import { endpoints } from '../../src/spec/endpoints.ts'
import { check, suite } from '../../src/suite/check.ts'
import { need, role } from '../../src/suite/needs.ts'
import { accessChecks } from './access.ts'
import { leavesInbox, othersUntouched, showsAsRead, staysRead } from './marking-thread.ts'
import { othersThreadChecks } from './others-threads.ts'
import { aboutThread, currentThread, unreadThread } from './threads.ts'
import { ownThread } from './touched.ts'

const id = 'notifications.mark-thread'
const endpoint = endpoints.markThreadRead
const needs = { owner: role('owner'), thread: need('unread-thread') }
const changes = { needs, level: 'must', schedule: 'alone', writes: true } as const

/** Marks one thread read. */
export default suite({
  area: 'notifications',
  endpoint,
  checks: [
    check({
      ...changes,
      touches: ownThread,
      id: `${id}.reset-content`,
      requirement: 'notifications.mark-thread.status',
      title: 'returns 205 without a body',
      run: async (t, { owner, thread }) => {
        await unreadThread(t, owner, thread.thread_id)
        const answer = await t.send(aboutThread(endpoint, thread.thread_id, owner), { tapped: true })
        t.expect(answer).status(205).noBody()
      },
    }),
    check({
      ...changes,
      touches: ownThread,
      id: `${id}.marks-read`,
      requirement: 'notifications.mark-thread.effect',
      title: 'returns the single thread with unread: false afterwards',
      run: async (t, { owner, thread }) => {
        await unreadThread(t, owner, thread.thread_id)
        await showsAsRead(t, owner, await t.send(aboutThread(endpoint, thread.thread_id, owner)), thread.thread_id)
      },
    }),
    check({
      ...changes,
      id: `${id}.leaves-inbox`,
      requirement: 'notifications.mark-thread.effect',
      title: 'removes the thread from the default list and keeps it with all=true',
      run: async (t, { owner, thread }) => leavesInbox(t, owner, endpoint, thread.thread_id, { kept: true }),
    }),
    check({
      ...changes,
      id: `${id}.others-untouched`,
      requirement: 'notifications.mark-thread.others',
      title: 'keeps all other threads unchanged',
      needs: { ...needs, bystander: need('unread-thread') },
      run: async (t, { owner, thread, bystander }) => {
        await unreadThread(t, owner, bystander.thread_id)
        await othersUntouched(t, owner, endpoint, thread.thread_id)
      },
    }),
    check({
      ...changes,
      touches: ownThread,
      id: `${id}.repeated`,
      requirement: 'notifications.mark-thread.effect',
      title: 'keeps a thread read when it is marked as read again',
      run: async (t, { owner, thread }) => staysRead(t, owner, thread.thread_id),
    }),
    ...othersThreadChecks({ id, endpoint, resource: 'thread' }),
    ...accessChecks({
      id,
      endpoint,
      of: 'owner',
      resource: 'thread',
      needs: { thread: need('shared-thread') },
      address: async (_, { thread }) => ({ params: { thread_id: thread.thread_id } }),
      effect: async (t, { thread }, entitled) => {
        const { value } = await currentThread(t, entitled, thread.thread_id, 'shared-thread')
        return { facts: [`unread: ${value.unread}`], shows: value.unread === true }
      },
      granted: {
        needs: { disposable: need('unread-thread') },
        address: async (_, { disposable }) => ({ params: { thread_id: disposable.thread_id } }),
      },
    }),
  ],
})
