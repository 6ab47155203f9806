import { endpoints } from '../../src/spec/endpoints.ts'
import { check, suite } from '../../src/suite/check.ts'
import { need, role } from '../../src/suite/needs.ts'
import { accessChecks } from './access.ts'
import { isUnreadInInbox, leavesInbox, othersUntouched } from './marking-thread.ts'
import { othersThreadChecks } from './others-threads.ts'
import { aboutThread, unreadThread } from './threads.ts'
import { ownThread } from './touched.ts'

const id = 'notifications.done-thread'
const endpoint = endpoints.markThreadDone
const needs = { owner: role('owner'), thread: need('unread-thread') }
const changes = { needs, level: 'must', schedule: 'alone', writes: true } as const

/** Marks one thread done. */
export default suite({
  area: 'notifications',
  endpoint,
  checks: [
    check({
      ...changes,
      touches: ownThread,
      id: `${id}.no-content`,
      requirement: 'notifications.done-thread.status',
      title: 'returns 204 without a body',
      run: async (t, { owner, thread }) => {
        await unreadThread(t, owner, thread.thread_id)
        const answer = await t.send(aboutThread(endpoint, thread.thread_id, owner), { tapped: true })
        t.expect(answer).status(204).noBody()
      },
    }),
    check({
      ...changes,
      id: `${id}.leaves-inbox`,
      requirement: 'notifications.done-thread.effect',
      title: 'removes the thread from the unread threads of the default list',
      run: async (t, { owner, thread }) => leavesInbox(t, owner, endpoint, thread.thread_id, { kept: false }),
    }),
    check({
      ...changes,
      id: `${id}.others-untouched`,
      requirement: 'notifications.done-thread.others',
      title: 'keeps all other threads unchanged',
      needs: { ...needs, bystander: need('unread-thread') },
      run: async (t, { owner, thread, bystander }) => {
        await unreadThread(t, owner, bystander.thread_id)
        await othersUntouched(t, owner, endpoint, thread.thread_id)
      },
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
        const unread = await isUnreadInInbox(t, entitled, thread.thread_id)
        return { facts: [`unread in the inbox: ${unread}`], shows: unread }
      },
      granted: {
        needs: { disposable: need('unread-thread') },
        address: async (_, { disposable }) => ({ params: { thread_id: disposable.thread_id } }),
      },
    }),
  ],
})
