import { endpoints } from '../../../src/spec/endpoints.ts'
import { threadsByCause } from '../common/arrivals.ts'
import { currentThread, unreadThread } from '../common/threads.ts'
import { type MarkingThread, markedCheck, markingThreadAccess, onUnreadThread } from './mark-one.ts'
import { expectMarked, expectReadLater } from './thread-fixture.ts'

const marking: MarkingThread = {
  id: 'notifications.mark-thread',
  endpoint: endpoints.markThreadRead,
  success: { status: 205, aspect: 'reset-content' },
  kept: true,
  effect: async (t, entitled, thread_id) => {
    const { value } = await currentThread(t, entitled, thread_id, 'shared-thread')
    return { facts: [`unread: ${value.unread}`], visible: value.unread === true }
  },
}
const markThread = onUnreadThread(marking)
const effect = markThread.with({ requirement: 'notifications.mark-thread.effect' })

/** Marks one thread read. */
export default markThread.suite([
  markedCheck(marking),
  effect.check(
    'marks-read',
    'returns the single thread with unread: false afterwards, for each reason',
    async (t, { owner, thread }) => {
      const others = (await threadsByCause(t, owner)).threads.filter(({ value }) => value.unread === true)
      for (const each of [await unreadThread(t, owner, thread.thread_id), ...others]) await expectMarked(t, owner, each)
    },
  ),
  markThread.check('last-read-at', 'keeps last_read_at or moves it forward', { level: 'should' }, (t, { owner, thread }) =>
    expectReadLater(t, owner, thread.thread_id),
  ),
  ...markingThreadAccess(marking),
])
