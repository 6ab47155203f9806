import type { Caller } from '../../../src/http/exchange/caller.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { eventually } from '../../../src/suite/observe.ts'
import { unlessUntested } from '../../common/proof.ts'
import { notified, threadsByCause } from '../common/arrivals.ts'
import {
  aboutThread,
  currentThread,
  instantOf,
  type Thread,
  unreadThread,
} from '../common/threads.ts'
import { type MarkingThread, markedCheck, markingThreadAccess, onUnreadThread } from './mark-one.ts'

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
      const others = (await threadsByCause(t, owner)).threads.filter(
        ({ value }) => value.unread === true,
      )
      for (const each of [await unreadThread(t, owner, thread.thread_id), ...others])
        await expectMarked(t, owner, each)
    },
  ),
  markThread.check(
    'last-read-at',
    'keeps last_read_at or moves it forward',
    { level: 'should' },
    (t, { owner, thread }) => expectReadLater(t, owner, thread.thread_id),
  ),
  ...markingThreadAccess(marking),
])

/** An unread thread becomes read when it is marked. Returns it as it is afterwards. */
async function expectMarked(t: CheckContext, owner: Caller, { value }: Thread) {
  const thread_id = String(value.id)
  const response = await t.send(aboutThread(endpoints.markThreadRead, thread_id, owner))
  const read = () => currentThread(t, owner, thread_id)
  const { last, met } = await eventually(
    t,
    'the thread to be read',
    read,
    ({ value: now }) => now.unread === false,
  )
  t.expect(response).satisfy(`unread: false for thread ${thread_id}`, met, 'it stays unread')
  return last
}

/** Neither marking nor a notification sets `last_read_at` back (readings D28). A late node still has the old one (readings G16). */
async function expectReadLater(t: CheckContext, owner: Caller, thread_id: string) {
  const before = await unreadThread(t, owner, thread_id)
  const after = await expectMarked(t, owner, before)
  const thread = { owner, thread_id, from: 'unread-thread' } as const
  await unlessUntested(notified(t, thread))
  const readAt = ({ value }: Thread) => instantOf(value.last_read_at)
  if (Number.isNaN(readAt(before) + readAt(after)))
    return t.untested('last_read_at is not a timestamp before and after the mark')
  const isLater = (now: Thread) => readAt(now) >= readAt(after) && readAt(after) >= readAt(before)
  const { last, met } = await eventually(
    t,
    'a later last_read_at',
    () => currentThread(t, owner, thread_id),
    isLater,
  )
  const actual = [before, after, last]
    .map(({ value }) => String(value.last_read_at))
    .join(', then ')
  t.expect(after.exchange, before.exchange).satisfy(
    'a last_read_at that never moves back',
    met,
    actual,
  )
}
