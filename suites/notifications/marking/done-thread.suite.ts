import { endpoints } from '../../../src/spec/endpoints.ts'
import { Listing } from '../../../src/suite/listing.ts'
import { unlessUntested } from '../../common/proof.ts'
import { findListed } from '../common/listed-threads.ts'
import { currentThread, inboxOf } from '../common/threads.ts'
import { type MarkingThread, markedCheck, markingThreadAccess, onUnreadThread } from './mark-one.ts'

const marking: MarkingThread = {
  id: 'notifications.done-thread',
  endpoint: endpoints.markThreadDone,
  success: { status: 204, aspect: 'no-content' },
  kept: false,
  // The thread itself need not be served any more. `find` depends on the expected result.
  effect: async (t, entitled, thread_id, find = findListed) => {
    const served = await unlessUntested(currentThread(t, entitled, thread_id))
    const thread = served?.value ?? { id: thread_id }
    const listed = await find(t, new Listing(t, inboxOf(entitled)), thread, {})
    const unread = listed?.value.unread === true
    return { facts: [`unread in the inbox: ${unread}`], visible: unread }
  },
}

/** Marks one thread done. */
export default onUnreadThread(marking).suite([
  markedCheck(marking),
  ...markingThreadAccess(marking),
])
