import type { Caller } from '../../../src/http/exchange/caller.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
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
  effect: async (t, entitled, thread_id, find) => {
    const unread = await isUnreadInInbox(t, entitled, thread_id, find)
    return { facts: [`unread in the inbox: ${unread}`], visible: unread }
  },
}

/** Marks one thread done. */
export default onUnreadThread(marking).suite([
  markedCheck(marking),
  ...markingThreadAccess(marking),
])

/** True when the default list contains a thread as unread; the thread itself need not be served any more. `find` depends on the expected result. */
async function isUnreadInInbox(
  t: CheckContext,
  owner: Caller,
  thread_id: string,
  find = findListed,
) {
  const thread = (await unlessUntested(currentThread(t, owner, thread_id)))?.value ?? {
    id: thread_id,
  }
  return (await find(t, new Listing(t, inboxOf(owner)), thread, {}))?.value.unread === true
}
