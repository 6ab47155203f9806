import { endpoints } from '../../../src/spec/endpoints.ts'
import { type MarkingThread, markedCheck, markingThreadAccess, onUnreadThread } from './mark-one.ts'
import { isUnreadInInbox } from './thread-fixture.ts'

const marking: MarkingThread = {
  id: 'notifications.done-thread',
  endpoint: endpoints.markThreadDone,
  success: { status: 204, aspect: 'no-content' },
  kept: false,
  // The row lists no refusal (readings D13).
  unknown: 'should',
  effect: async (t, entitled, thread_id, find) => {
    const unread = await isUnreadInInbox(t, entitled, thread_id, find)
    return { facts: [`unread in the inbox: ${unread}`], visible: unread }
  },
}

/** Marks one thread done. */
export default onUnreadThread(marking).suite([markedCheck(marking), ...markingThreadAccess(marking)])
