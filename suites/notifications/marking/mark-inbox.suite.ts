import { endpoints } from '../../../src/spec/endpoints.ts'
import { eventually } from '../../../src/suite/observe.ts'
import { timestamp } from '../common/threads.ts'
import {
  aimAtAll,
  allOf,
  expectRead,
  isAfter,
  latestBoundary,
  lookForMarks,
  mark,
  openInbox,
  type Unread,
} from './inbox-fixture.ts'
import { markingAllAccess, markingAllChecks, onDisposableInbox } from './mark-all.ts'

const marking = {
  id: 'notifications.mark-inbox',
  endpoint: endpoints.markNotificationsRead,
  aim: aimAtAll,
} as const
const markInbox = onDisposableInbox(marking)

/** Marks a user's notifications read. */
export default markInbox.suite([
  ...markingAllChecks(marking),
  markInbox.check(
    'accepts-read',
    'accepts a request with read: true and marks the threads',
    { requirement: 'notifications.mark-inbox.read', level: 'should' },
    async (t, { inbox }) => {
      const open = await openInbox(t, 'disposable-inbox', inbox.token, aimAtAll)
      const boundary = latestBoundary(t, open)
      const until = { read: true, last_read_at: timestamp(boundary) }
      const later = open.concerned.filter((thread) => isAfter(thread, boundary))
      await lookForMarks(t, open, later, await mark(t, marking.endpoint, open, until))(eventually)
      const response = await mark(t, marking.endpoint, open, { read: true })
      t.expect(response).status(202, 205)
      await expectRead(t, open, open.concerned, response)
      const isMarked = ({ id }: Unread) => open.concerned.some((thread) => thread.id === id)
      const isKept = (all: readonly Unread[]) => all.some(isMarked)
      const { met } = await eventually(t, 'the marked threads', () => allOf(t, open.user), isKept)
      t.expect(response).satisfy('the threads with all=true', met, 'none of the marked threads')
    },
  ),
  ...markingAllAccess(marking, async () => ({})),
])
