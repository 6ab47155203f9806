import { endpoints } from '../../../src/spec/endpoints.ts'
import { spacing } from '../../../src/suite/observe.ts'
import { timestamp } from '../common/threads.ts'
import { aimAtPrivate, aimAtRepository, isShort, unreadOf } from './inbox-fixture.ts'
import { markingAllAccess, markingAllChecks, onDisposableInbox } from './mark-all.ts'

const endpoint = endpoints.markRepositoryNotificationsRead
const marking = {
  id: 'notifications.mark-repository',
  endpoint,
  aim: aimAtRepository,
  bodiless: aimAtPrivate,
} as const

/** Marks a user's notifications of one repository read. */
export default onDisposableInbox(marking).suite([
  ...markingAllChecks(marking),
  ...markingAllAccess(marking, async (t, entitled, isPrivate) => {
    const unread = await unreadOf(t, entitled, isShort)
    const { params, concerned } = (isPrivate ? aimAtPrivate : aimAtRepository)(unread)
    if (concerned.length === 0)
      t.untested('the inbox of the role inbox-user contains no unread thread', 'disposable-inbox')
    const latest = Math.max(...concerned.map(({ updated }) => updated))
    const last_read_at = timestamp(latest + spacing * 1000)
    // A private repository is marked with the parameter.
    return { params, body: isPrivate ? { last_read_at } : {} }
  }),
])
