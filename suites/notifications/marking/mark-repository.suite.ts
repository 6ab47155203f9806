import { endpoints } from '../../../src/spec/endpoints.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { accessChecks } from '../common/access.ts'
import {
  aimAtPrivate,
  aimAtRepository,
  effectOn,
  longAgo,
  someUnread,
  type Unread,
  unreadAnew,
  unreadShown,
} from './inbox-fixture.ts'
import { markingAllChecks, onDisposableInbox } from './mark-all.ts'

const endpoint = endpoints.markRepositoryNotificationsRead
const id = 'notifications.mark-repository'
const marking = { id, endpoint, aim: aimAtRepository, bodiless: aimAtPrivate } as const
const markRepository = onDisposableInbox(marking)

/** Marks a user's notifications of one repository read. */
export default markRepository.suite([
  ...markingAllChecks(marking),
  ...accessChecks({
    ...marking,
    of: 'inbox-user',
    resource: 'thread',
    needs: {},
    address: async (t, _, entitled) => {
      const unread = await someUnread(t, entitled)
      return { params: anyRepository(t, unread), body: {}, seen: effectOn(unread) }
    },
    effect: async (t, _, entitled, before) => unreadShown(t, entitled, before),
    anew: async (t, _, entitled) => unreadAnew(t, entitled),
    granted: {
      needs: {},
      address: async (t, _, entitled) => ({ params: anyRepository(t, await someUnread(t, entitled)), body: longAgo }),
    },
  }),
])

/** A repository of the user's unread threads. */
function anyRepository(t: CheckContext, unread: readonly Unread[]): Readonly<Record<string, string>> {
  const { params, concerned } = aimAtRepository(unread)
  return concerned.length > 0
    ? params
    : t.untested('the inbox of the role inbox-user contains no unread thread', 'disposable-inbox')
}
